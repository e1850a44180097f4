// The sources that may hold a database which projects name without saying where it lies.

import type { Context } from '../../../context.ts';
import { scratch } from '../../../database/scratch.ts';
import {
  adapterOf,
  canHold,
  foldedName,
  unplacedAddress,
} from '../../../resources/identities/named-place.ts';
import type { Importing } from './importing.ts';

/** That a database which projects name without saying where it lies is the one at an address. */
export interface PlaceDecision {
  readonly adapter: string;
  readonly database: string;
  readonly address: string;
}

/** Tells the databases of adapters apart. */
export const keyOf = (adapter: string, database: string) => JSON.stringify([adapter, database]);

interface Candidate extends PlaceDecision {
  /** The integrations that have schemas of the database there, by type and name. */
  readonly types: readonly string[];
  readonly names: readonly string[];
}

interface CandidateNames {
  readonly describer: Importing;
  readonly home: string;
  /** The databases of which nothing says where they lie. */
  readonly open: readonly string[];
  readonly explicit: (database: string | null) => string | undefined;
}

/**
 * The addresses at which warehouses or files have a schema of a database that projects name without saying where it
 * lies, as this import and the catalog say.
 */
export async function findCandidates(
  ctx: Context,
  names: string,
  { describer, home, open }: CandidateNames,
): Promise<Candidate[]> {
  const { integrationId, adapter, type, name } = describer;
  const schemas = `select distinct ${foldedName('p.database')} as database, ${foldedName('p.title')} as schema
    from ${names} p where p.kind = 'schema' and p.database is not null`;
  const ofCatalog = `r.workspace_id = $1::uuid and r.kind = 'schema' and r.address is not null
    and r.database_name is not null`;
  return scratch<Candidate>(
    ctx,
    `with named as materialized (${schemas}),
      free as (
        select $4::text as adapter, n.database, n.schema from named n
          where $4::text is not null and n.database = any($5::text[])
        union select substr(r.address, length('${unplacedAddress('')}') + 1),
          ${foldedName('r.database_name')}, ${foldedName('r.title')}
        from resource r where ${ofCatalog} and starts_with(r.address, '${unplacedAddress('')}')),
      there as (
        select n.database, n.schema, $3::text as address, $6::text as type, $7::text as name from named n
          where $4::text is null
        union all select n.database, n.schema, '${unplacedAddress('')}' || $4, $6, $7 from named n
          where $4 <> '' and n.database = any($5::text[])
        union all select ${foldedName('r.database_name')}, ${foldedName('r.title')}, r.address, i.type, i.name
        from resource r join integration i on i.workspace_id = $1::uuid and i.id = r.integration_id
        where ${ofCatalog} and i.id <> $2::uuid and (i.type <> 'dbt_core'
          or starts_with(r.address, '${unplacedAddress('')}')))
      select f.adapter, f.database, t.address, array_agg(distinct t.type order by t.type) as types,
        array_agg(distinct t.name order by t.name) as names
      from free f join there t on t.database = f.database and t.schema = f.schema
        and t.address <> '${unplacedAddress('')}' || f.adapter
        and (f.adapter = '' or not starts_with(t.address, '${unplacedAddress('')}'))
      where not exists (select from database_address d where d.workspace_id = $1::uuid
        and d.adapter = f.adapter and d.database = f.database)
        -- People said of some of it what it is.
        and not exists (select from resource_alias z where z.workspace_id = $1::uuid and z.identity is not null
          and z.path ->> 0 = '${unplacedAddress('')}' || f.adapter
          and z.path ->> case z.path ->> 1 when 'database' then 4 else 2 end = f.database)
      group by f.adapter, f.database, t.address order by f.adapter desc, f.database, t.address`,
    [ctx.workspaceId, integrationId, home, adapter, [...open], type, name],
  );
}

/** A database that one source alone has is that one; where several do, people say which. */
export function decide(
  candidates: readonly Candidate[],
  { adapter }: Importing,
  named: readonly { readonly database: string | null; readonly tables: number }[],
  open: readonly string[],
) {
  const suited = candidates.filter(({ types, adapter: of }) =>
    types.some((type) => type === 'dbt_core' || canHold(type, of)),
  );
  const ofProjects = grouped(suited.filter((one) => one.adapter !== ''));
  const decisions = ofProjects.flatMap((group) => (group.length === 1 ? group : []));
  // What people made by hand goes where the projects go that name it.
  const follow = (one: Candidate): Candidate => {
    const at = adapterOf(one.address);
    const next = decisions.find((other) => other.adapter === at && other.database === one.database);
    return next ? { ...one, address: next.address } : one;
  };
  const byHand = grouped(suited.filter((one) => one.adapter === '').map(follow));
  const problems = [...ofProjects, ...byHand].flatMap((group) => {
    const [first] = group;
    if (!first || group.length === 1 || first.adapter !== adapter) return [];
    if (!open.includes(first.database)) return [];
    const tables = named.find(({ database }) => database === first.database)?.tables ?? 0;
    const list = [...new Set(group.flatMap(({ names }) => names))].sort().join(', ');
    return [
      `The database ${first.database} is in ${group.length} sources (${list}): say which of them this project ` +
        `writes to. Its ${tables === 1 ? 'table stands' : `${tables} tables stand`} next to them.`,
    ];
  });
  return {
    decisions: [...decisions, ...byHand.flatMap((group) => (group.length === 1 ? group : []))],
    problems,
  };
}

/** The candidates of each database, each address once. */
function grouped(candidates: readonly Candidate[]): Candidate[][] {
  const groups = new Map<string, Candidate[]>();
  for (const one of candidates) {
    const key = keyOf(one.adapter, one.database);
    const group = groups.get(key) ?? [];
    if (!group.some(({ address }) => address === one.address)) group.push(one);
    groups.set(key, group);
  }
  return [...groups.values()];
}
