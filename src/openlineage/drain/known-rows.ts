// What is known of datasets, jobs and runs that a batch names: read, and put together with what the batch says.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { readName } from '../events/dataset-name.ts';
import { textOf } from '../events/loose.ts';
import type { Folded } from '../folding/fold-events.ts';
import { latestOf, mergeSaid, type Said } from '../folding/register.ts';

/** A dataset or job as it is known. */
export interface KnownThing {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly said: Said;
  readonly integrationId: string | null;
  readonly key: string | null;
  readonly described: string | null;
}

export interface KnownDataset extends KnownThing {
  /** The dataset that this one is another name of, through all that are; null for one of its own. */
  readonly standsFor: string | null;
}

/** A run before a batch, and with it. */
export interface KnownRun {
  readonly id: string;
  readonly jobId: string;
  readonly runId: string;
  readonly before: Said;
  readonly said: Said;
  /** False where what was said of it before is kept no longer. */
  readonly isKept: boolean;
}

/** Datasets by their ids: those that a batch names, what they are other names of, and the other names of those. */
export async function knownDatasets(
  ctx: Context,
  { datasets }: Folded,
): Promise<Map<string, KnownDataset>> {
  const ids = [...datasets.keys()];
  const found = new Map<string, KnownDataset>();
  // What something stands for may stand for something else since.
  for (let open = ids; open.length > 0; ) {
    const read = await rows<KnownDataset>(
      ctx,
      Prisma.sql`with asked as (select unnest(${open}::uuid[]) as id)
        select d.id, d.namespace, d.name, d.said, d.stands_for as "standsFor",
          d.integration_id as "integrationId", d.key, d.described
        from openlineage_dataset d where d.workspace_id = ${ctx.workspaceId}::uuid
          and (d.id in (select a.id from asked a) or d.stands_for in (select a.id from asked a))`,
    );
    const next = new Set<string>();
    for (const dataset of read) {
      if (found.has(dataset.id)) continue;
      found.set(dataset.id, dataset);
      if (dataset.standsFor !== null && !found.has(dataset.standsFor)) next.add(dataset.standsFor);
    }
    open = [...next].filter((id) => !found.has(id));
  }
  for (const { id, namespace, name, saying } of datasets.values()) {
    const known = found.get(id);
    const said = known ? mergeSaid(known.said, saying.said) : saying.said;
    const made = { id, namespace, name, standsFor: null, integrationId: null, key: null };
    // It is spelled as it was first.
    const spelled = readName(latestOf(said, '<name'));
    found.set(id, { ...made, described: null, ...known, ...spelled, said });
  }
  return withNames(found);
}

/** The datasets with what each of them stands for, as it is said now. */
function withNames(found: Map<string, KnownDataset>): Map<string, KnownDataset> {
  for (const [id, dataset] of found) {
    const standsFor = canonicalOf(id, found);
    found.set(id, { ...dataset, standsFor: standsFor === id ? null : standsFor });
  }
  return found;
}

/** What a dataset stands for in the end; of those that stand for each other the one with the least id. */
function canonicalOf(id: string, found: ReadonlyMap<string, KnownDataset>): string {
  const way = [id];
  for (;;) {
    const at = way.at(-1) ?? id;
    const next = textOf(latestOf(found.get(at)?.said ?? {}, 'standsFor'), 36);
    if (next === undefined || !found.has(next)) return at;
    const before = way.indexOf(next);
    if (before >= 0) return way.slice(before).sort()[0] ?? at;
    way.push(next);
  }
}

/** Jobs by their ids: those that a batch names, and what they are a part of. */
export async function knownJobs(ctx: Context, { jobs }: Folded): Promise<Map<string, KnownThing>> {
  const found = new Map<string, KnownThing>();
  for (let open = [...jobs.keys()]; open.length > 0; ) {
    const read = await rows<KnownThing>(
      ctx,
      Prisma.sql`select j.id, j.namespace, j.name, j.said, j.integration_id as "integrationId", j.key,
          j.described
        from openlineage_job j where j.workspace_id = ${ctx.workspaceId}::uuid
          and j.id = any(${open}::uuid[])`,
    );
    for (const job of read) found.set(job.id, job);
    const above = read.flatMap(({ said }) =>
      ['root', 'parent'].flatMap((name) => textOf(latestOf(said, name), 36) ?? []),
    );
    open = [...new Set(above)].filter((id) => !found.has(id));
  }
  for (const { id, namespace, name, saying } of jobs.values()) {
    const known = found.get(id);
    const made = { id, namespace, name, integrationId: null, key: null, described: null };
    const said = known ? mergeSaid(known.said, saying.said) : saying.said;
    found.set(id, { ...made, ...known, said });
  }
  return found;
}

/** The runs that a batch names. */
export async function knownRuns(ctx: Context, { runs }: Folded): Promise<KnownRun[]> {
  const read = await rows<{ id: string; said: Said }>(
    ctx,
    Prisma.sql`select r.id, r.said from openlineage_run r where r.workspace_id = ${ctx.workspaceId}::uuid
      and r.id = any(${[...runs.keys()]}::uuid[])`,
  );
  const before = new Map(read.map(({ id, said }) => [id, said]));
  return [...runs.values()].map(({ id, jobId, runId, saying }) => {
    const known = before.get(id) ?? {};
    const isKept = !before.has(id) || Object.keys(known).length > 0;
    return { id, jobId, runId, before: known, said: mergeSaid(known, saying.said), isKept };
  });
}
