// List of the first resources that an import changes.

import type { Context } from '../../context.ts';
import { prepare, scratch } from '../../database/scratch.ts';
import { changedSource, isChanged, type Sort } from './batch.ts';
import { isStillGone } from './gone.ts';
import type { Changes } from './planning/affected.ts';
import { desired } from './planning/desired.ts';
import type { Stage } from './staging/stage.ts';

/** What becomes of a resource. */
export const listedActions = {
  created: 'It is new.',
  updated: 'It changes.',
  staled: 'The source no longer names it.',
  claimed: 'The integration describes it together with others from now on.',
  left: 'The integration no longer describes it; others do.',
  merged: 'It is made one with another resource, which is kept.',
};

/** One resource that an import changes. */
export interface ListedChange {
  readonly action: keyof typeof listedActions;
  readonly kind: string;
  /** Its title with its ancestry: as it is where it changes, as it will be where it is new. */
  readonly title: string;
  /** The fields that change, under the names of the API; none of what is new or gone. */
  readonly fields: readonly string[];
  /** Of what is claimed, left or merged: what the integration that owns it is called, or what is kept; else empty. */
  readonly of: string;
}

/** Changes that are listed at most. */
export const maxListed = 200;

/** The first 200 changes, before they are written: what goes, what becomes different, and what is new. */
export async function listChanges(
  ctx: Context,
  stage: Stage,
  integrationId: string,
  changes: Changes,
): Promise<ListedChange[]> {
  return prepare(ctx, async (tx) => {
    const { workspaceId } = tx;
    const found = await scratch<ListedChange>(
      tx,
      `select 'staled' as action, r.kind, r.title_full as title, '{}'::text[] as fields, '' as of
        from resource r where ${isStillGone(stage)} order by r.title_full, r.id limit $2`,
      [workspaceId, maxListed],
    );
    if (changes.shared.isAny) found.push(...(await listShared(tx, stage, integrationId)));
    for (const sort of changes.sorts) {
      found.push(
        ...(await scratch<ListedChange>(tx, changed(stage, sort), [
          ...[workspaceId, integrationId, 0, maxListed],
        ])),
      );
    }
    const added = await scratch<ListedChange>(
      tx,
      `select 'created' as action, p.kind, p.title_full as title, '{}'::text[] as fields, '' as of
        from ${stage.plan} p where p.is_new and p.n is not null order by p.n limit $1`,
      [maxListed],
    );
    return [...found, ...added].slice(0, maxListed);
  });
}

/** What is made one, and what the integration begins or ceases to describe together with others. */
async function listShared(
  tx: Context,
  { said, settling, pairs, plan }: Stage,
  integrationId: string,
): Promise<ListedChange[]> {
  const list = (action: string, of: string, from: string) =>
    `(select '${action}' as action, r.kind, r.title_full as title, '{}'::text[] as fields, ${of} as of
      from ${from} order by r.title_full, r.id limit $3)`;
  const owner = `(select coalesce(max(i.name), '') from integration i where i.workspace_id = $1::uuid
    and i.id = r.integration_id)`;
  const isIn = 'join resource r on r.workspace_id = $1::uuid and r.id';
  const parts = [
    list(
      'merged',
      '(select k.title_full from resource k where k.workspace_id = $1::uuid and k.id = p.kept)',
      `${pairs} p ${isIn} = p.gone`,
    ),
    list('claimed', owner, `${said} s ${isIn} = s.resource_id where s.is_first`),
    list(
      'left',
      owner,
      `resource_claim c ${isIn} = c.resource_id where c.workspace_id = $1::uuid
        and c.integration_id = $2::uuid and c.live
        and c.resource_id in (select t.id from ${settling.settled} t)
        and not exists (select from ${plan} p where p.key = c.key and p.id = c.resource_id)`,
    ),
    `(select 'staled', r.kind, r.title_full, '{}'::text[], '' from ${settling.settled} t
      ${isIn} = t.id where t.stale and not r.stale and not r.forced_unstale_by_user
      order by r.title_full, r.id limit $3)`,
  ];
  return scratch<ListedChange>(tx, parts.join(' union all '), [
    ...[tx.workspaceId, integrationId, maxListed],
  ]);
}

/** What changes, in the order of the source, with the fields that do. */
function changed(stage: Stage, sort: Sort): string {
  const compared = Object.entries(desired(sort))
    .filter(([column]) => !unlisted.has(column))
    .map(([column, to]) => `('${fieldName(column)}', r.${column} is distinct from (${to}))`);
  if (sort === 'own') compared.push("('relatedTerms', coalesce(s.related_changes, false))");
  const [which, order] =
    sort === 'own' ? ['true', 'x.k'] : ['not (t.stale and not r.stale)', 'r.title_full, r.id'];
  return `select 'updated' as action, r.kind, r.title_full as title,
      array(select distinct c.field from (values ${compared.join(', ')}) c(field, differs)
        where c.differs order by c.field) as fields, '' as of
    from ${changedSource(stage, sort)} join resource r on ${isChanged(sort)} where ${which} order by ${order}`;
}

/** Columns that follow from others. */
const unlisted = new Set(['definition_version', 'stale_at', 'shared']);

/** Columns whose fields have names of their own. */
const named: Readonly<Record<string, string>> = {
  approved_at: 'termStatus',
  approved_by_id: 'termStatus',
  deprecated_at: 'deprecation',
  deprecation_note: 'deprecation',
  successor_id: 'deprecation',
  group_name: 'group',
  integration_id: 'integration',
  owner_group_ids: 'ownerGroups',
  owner_ids: 'owners',
  parent_id: 'parent',
  source_ids: 'describedBy',
  tag_ids: 'tags',
};

function fieldName(column: string): string {
  return (
    named[column] ?? column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  );
}
