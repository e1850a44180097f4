// One change of many resources, and of their custom properties: each by itself, with what became of it.

import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { transaction } from '../database/transaction.ts';
import { CatalogError, invalid, invalidField } from '../errors.ts';
import type { ResourceChanges } from '../resources/editing/edit.ts';
import { updateResource } from '../resources/editing/edit.ts';
import { listResources } from '../resources/resource.ts';
import { setValues } from './assign.ts';

/** Which resources to change, and how. */
export interface ManyChanges {
  /** Their ids, or a typed filter that holds for them: one of both. */
  readonly ids?: readonly string[] | null | undefined;
  readonly where?: object | null | undefined;
  readonly changes: ResourceChanges;
  /** Values of custom properties by their ids; an empty string deletes. */
  readonly values: ReadonlyMap<string, string>;
  /** Whether only to say what would become of it. */
  readonly dryRun: boolean;
}

/** What became of a change of many. */
export interface ManyChanged {
  readonly matched: number;
  readonly updated: number;
  readonly failed: readonly {
    readonly id: string;
    readonly code: string;
    readonly message: string;
  }[];
}

/** Resources that one request changes: each takes some statements, and its client waits. */
export const maxMany = 500;

/**
 * Change many resources alike. Editors may. Each is a transaction with an entry of the audit log of its own, so that one
 * that is refused keeps none of the others. Throws BAD_REQUEST where not exactly one of ids and filter is given, and for
 * more than 500.
 */
export async function updateResources(ctx: Context, asked: ManyChanges): Promise<ManyChanged> {
  mustBeAllowed(ctx, 'edit resources');
  const ids = await idsOf(ctx, asked);
  const failed: { id: string; code: string; message: string }[] = [];
  for (const id of ids) {
    try {
      await changeOne(ctx, id, asked);
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      failed.push({ id, code: error.code, message: error.message });
    }
  }
  return { matched: ids.length, updated: ids.length - failed.length, failed };
}

async function changeOne(ctx: Context, id: string, { changes, values, dryRun }: ManyChanges) {
  try {
    await transaction(ctx, async (tx) => {
      if (Object.values(changes).some((value) => value !== undefined)) {
        await updateResource(tx, id, changes);
      }
      if (values.size > 0) await setValues(tx, [id], values);
      if (dryRun) throw new OnlyTried();
    });
  } catch (error) {
    if (!(error instanceof OnlyTried)) throw error;
  }
}

/** Takes back what was only tried. */
class OnlyTried extends Error {}

async function idsOf(ctx: Context, { ids, where }: ManyChanges): Promise<readonly string[]> {
  const isByIds = ids != null;
  const isByFilter = where != null && Object.values(where).some((one) => one != null);
  if (isByIds === isByFilter) {
    throw invalid('Say which resources to change: by `ids`, or by a `where` that is not empty.');
  }
  if (isByIds) {
    const all = [...new Set(ids)];
    if (all.length > maxMany) throw tooMany('ids', `these are ${all.length}`);
    return all;
  }
  const { nodes, count } = await listResources(
    ctx,
    { where, orderBy: [{ titleFull: 'asc' }], shown: new Set(['id']) },
    { first: maxMany },
  );
  const matched = await count();
  if (matched > maxMany) throw tooMany('where', `it holds for ${matched.toLocaleString('en')}`);
  return nodes.map(({ id }) => id);
}

const tooMany = (field: string, said: string) =>
  invalidField(field, `One request changes ${maxMany} resources at most, and ${said}: narrow it.`);
