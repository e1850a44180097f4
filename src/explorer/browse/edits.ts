// Edits of many resources at once: what each does, how it is taken back, and which of them failed.

import { ask } from '../asking/ask.ts';
import {
  ArchiveOne,
  EditMany,
  type EditManyVariables,
  MonitorOne,
  PropertyOfMany,
  RestoreOne,
  SetPropertyOfMany,
  UnmonitorOne,
} from './page.graphql';
import type { BrowsedRow } from './place.ts';

type Input = EditManyVariables['input'];

/** A row that was not changed, and why. */
export interface Failure {
  readonly id: string;
  readonly message: string;
}

/** What became of an edit. */
export interface Edited {
  readonly done: number;
  readonly failed: readonly Failure[];
  /** Whether a job goes on with it. */
  readonly isJob: boolean;
  /** Takes back what was done; absent where nothing was. */
  readonly undo?: () => Promise<unknown>;
}

/** Change rows alike; `inverse` is asked for those that the change makes different, and are to be as before. */
export async function editAll(
  rows: readonly BrowsedRow[],
  input: Input,
  inverse: { readonly input: Input; readonly of: (row: BrowsedRow) => boolean },
): Promise<Edited> {
  const ids = rows.map(({ id }) => id);
  const { updateResources } = await ask(EditMany, { ids, input });
  const { updated, failed, job } = updateResources;
  const hasFailed = new Set(failed.map(({ id }) => id));
  const changed = rows
    .filter((row) => !hasFailed.has(row.id) && inverse.of(row))
    .map(({ id }) => id);
  const result = { done: updated, failed, isJob: job !== null };
  if (job !== null || changed.length === 0) return result;
  return { ...result, undo: () => ask(EditMany, { ids: changed, input: inverse.input }) };
}

/** Resources that are asked for in one request, as its operation says. */
const perRequest = 500;

/** The values that rows have of a property, by their ids; none where it is not set. */
async function valuesOf(
  ids: readonly string[],
  propertyId: string,
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  for (let at = 0; at < ids.length; at += perRequest) {
    const part = ids.slice(at, at + perRequest);
    const { resources } = await ask(PropertyOfMany, { ids: part });
    for (const { id, customProperties } of resources.nodes) {
      const set = customProperties.find(({ property }) => property.id === propertyId);
      if (set) values.set(id, set.value);
    }
  }
  return values;
}

/** Set a property of rows, all or nothing; an empty text clears it. Undone, each has its own value again. */
export async function setPropertyOfAll(
  rows: readonly BrowsedRow[],
  propertyId: string,
  value: string,
): Promise<Edited> {
  const ids = rows.map(({ id }) => id);
  const before = await valuesOf(ids, propertyId);
  const set = (some: readonly string[], to: string) =>
    ask(SetPropertyOfMany, { ids: [...some], properties: { [propertyId]: to } });
  await set(ids, value);
  const was = (id: string) => before.get(id) ?? '';
  const changed = Map.groupBy(
    ids.filter((id) => was(id) !== value),
    was,
  );
  const result = { done: ids.length, failed: [], isJob: false };
  if (changed.size === 0) return result;
  return {
    ...result,
    async undo() {
      for (const [old, some] of changed) await set(some, old);
    },
  };
}

/** How many requests are on their way at once. */
const atOnce = 4;

/** Do something to each of some rows; what fails is said of each. */
async function each(
  rows: readonly Pick<BrowsedRow, 'id'>[],
  act: (id: string) => Promise<string>,
): Promise<{ readonly made: readonly string[]; readonly failed: readonly Failure[] }> {
  const made: string[] = [];
  const failed: Failure[] = [];
  const waiting = rows.map(({ id }) => id);
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        made.push(await act(id));
      } catch (error) {
        failed.push({ id, message: error instanceof Error ? error.message : String(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { made, failed };
}

async function undoEach(ids: readonly string[], act: (id: string) => Promise<unknown>) {
  const { failed } = await each(
    ids.map((id) => ({ id })),
    async (id) => {
      await act(id);
      return id;
    },
  );
  const [first] = failed;
  if (first) throw new Error(first.message);
}

/** Delete rows. */
export async function archiveAll(rows: readonly BrowsedRow[]): Promise<Edited> {
  const { made, failed } = await each(rows, async (id) => {
    await ask(ArchiveOne, { id });
    return id;
  });
  const undo = () => undoEach(made, (id) => ask(RestoreOne, { id }));
  return { done: made.length, failed, isJob: false, ...(made.length > 0 ? { undo } : {}) };
}

/** Watch the number of rows of each. */
export async function monitorAll(rows: readonly BrowsedRow[]): Promise<Edited> {
  const { made, failed } = await each(rows, async (id) => {
    const { createMonitor } = await ask(MonitorOne, { id });
    return createMonitor.id;
  });
  const undo = () => undoEach(made, (id) => ask(UnmonitorOne, { id }));
  return { done: made.length, failed, isJob: false, ...(made.length > 0 ? { undo } : {}) };
}
