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
};

/** One resource that an import changes. */
export interface ListedChange {
  readonly action: keyof typeof listedActions;
  readonly kind: string;
  /** Its title with its ancestry: as it is where it changes, as it will be where it is new. */
  readonly title: string;
  /** The fields that change, under the names of the API; none of what is new or gone. */
  readonly fields: readonly string[];
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
      `select 'staled' as action, r.kind, r.title_full as title, '{}'::text[] as fields
        from resource r where ${isStillGone(stage)} order by r.title_full, r.id limit $2`,
      [workspaceId, maxListed],
    );
    for (const sort of changes.sorts) {
      found.push(
        ...(await scratch<ListedChange>(tx, changed(stage, sort), [
          ...[workspaceId, integrationId, 0, maxListed],
        ])),
      );
    }
    const added = await scratch<ListedChange>(
      tx,
      `select 'created' as action, p.kind, p.title_full as title, '{}'::text[] as fields
        from ${stage.plan} p where p.is_new and p.n is not null order by p.n limit $1`,
      [maxListed],
    );
    return [...found, ...added].slice(0, maxListed);
  });
}

/** What changes, in the order of the source, with the fields that do. */
function changed(stage: Stage, sort: Sort): string {
  const compared = Object.entries(desired(sort))
    .filter(([column]) => !unlisted.has(column))
    .map(([column, to]) => `('${fieldName(column)}', r.${column} is distinct from (${to}))`);
  return `select 'updated' as action, r.kind, r.title_full as title,
      array(select c.field from (values ${compared.join(', ')}) c(field, differs)
        where c.differs order by c.field) as fields
    from ${changedSource(stage, sort)} join resource r on ${isChanged(sort)} order by x.k`;
}

/** Columns that follow from others. */
const unlisted = new Set(['definition_version', 'stale_at']);

/** Columns whose fields have names of their own. */
const named: Readonly<Record<string, string>> = {
  group_name: 'group',
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
