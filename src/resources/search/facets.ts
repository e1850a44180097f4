// Facets of a search: the most frequent values among its hits.

import { isAllowed, visibleTeams } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { usersAmong } from '../seen.ts';
import { fullName } from './facet-names.ts';

/** How many of the hits share a value. */
export interface FacetCount {
  /** The value as filters take it: a kind, or an id. */
  readonly value: string;
  /** What people call it. */
  readonly label: string;
  readonly count: number;
}

const facetNames = ['kind', 'integration', 'tag', 'team', 'owner'] as const;
export type Facets = Readonly<Record<(typeof facetNames)[number], readonly FacetCount[]>>;

const maxFacetValues = 50;

/** The facets of hits, as far as the viewer may know what has them. */
export async function readFacets(ctx: Context, ids: readonly string[]): Promise<Facets> {
  const named = (table: string) => Prisma.raw(`${table} x on x.workspace_id = h.workspace_id`);
  const mayName = isAllowed(ctx, 'read integrations');
  const found = await rows<FacetCount & { facet: string }>(
    ctx,
    Prisma.sql`with h as materialized (
        select r.workspace_id, r.kind, r.integration_id, r.source_ids, r.tag_ids, r.team_ids, r.owner_ids
        from resource r where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = any(${[...ids]}::uuid[])),
      counts as (
        select 'kind' as facet, h.kind as value, h.kind as label, count(*) as count
          from h group by h.kind
        union all
        select 'integration', x.id::text, x.name, count(*) from h
          join ${named('integration')} and x.id = any(h.integration_id || h.source_ids) and ${mayName}::boolean
          group by x.id, x.name
        union all
        select 'tag', x.id::text, x.name, count(*) from h
          join ${named('tag')} and x.id = any(h.tag_ids) group by x.id, x.name
        union all
        select 'team', x.id::text, x.name, count(*) from h
          join ${named('team')} and x.id = any(h.team_ids) and ${visibleTeams(ctx, 'x')}
          group by x.id, x.name
        union all
        select 'owner', x.id::text, ${fullName}, count(*) from h
          join ${named('user_account')} and x.id = any(${usersAmong(ctx, Prisma.sql`h.owner_ids`)})
          group by x.id, x.first_name, x.last_name, x.email),
      placed as (
        select *, row_number() over (partition by facet order by count desc, label, value) as place
          from counts)
      select facet, value, label, count from placed where place <= ${maxFacetValues}
        order by facet, place`,
  );
  const of = (name: (typeof facetNames)[number]) =>
    found
      .filter(({ facet }) => facet === name)
      .map(({ value, label, count }) => ({ value, label, count }));
  return {
    kind: of('kind'),
    integration: of('integration'),
    tag: of('tag'),
    team: of('team'),
    owner: of('owner'),
  };
}
