// Describes what a batch of events names: an import into the integration of each namespace, of what is new or changed.

import type { ServerContext } from '../../context.ts';
import type { Integration } from '../../generated/prisma/client.ts';
import { runImport } from '../../integrations/imports/import.ts';
import type { Extracted } from '../../integrations/readers/extraction.ts';
import { importJob, syncKey } from '../../integrations/sync-key.ts';
import { beginHere } from '../../jobs/here.ts';
import { readName } from '../events/dataset-name.ts';
import { textOf } from '../events/loose.ts';
import { addressOfNamespace } from '../folding/dataset-place.ts';
import { type Folded, idOf } from '../folding/fold-events.ts';
import { latestOf, mergeSaid, type Said } from '../folding/register.ts';
import {
  type Description,
  describeDataset,
  describeJob,
  describeTests,
  jobKey,
} from './described.ts';
import type { KnownDataset, KnownThing } from './known-rows.ts';
import { integrationOf, jobsNamespace } from './namespaces.ts';

/** Where something is described, once it is. */
export interface DescribedPlace {
  readonly integrationId: string | null;
  readonly key: string | null;
  readonly described: string | null;
}

/** Where all that a batch names is described, by its id. */
export type DescribedPlaces = ReadonlyMap<string, DescribedPlace>;

/** What one integration is to read. */
interface Import {
  readonly integration: Integration;
  readonly namespace: string;
  readonly extracted: Extracted[];
  readonly gone: string[];
}

/** Describe the datasets and jobs of a batch, as far as something is new. */
export async function describe(
  ctx: ServerContext,
  folded: Folded,
  datasets: ReadonlyMap<string, KnownDataset>,
  jobs: ReadonlyMap<string, KnownThing>,
): Promise<DescribedPlaces> {
  const imports = new Map<string, Import>();
  const into = async (namespace: string): Promise<Import | null> => {
    const known = imports.get(namespace);
    if (known) return known;
    const integration = await integrationOf(ctx, namespace);
    if (!integration) return null;
    const made = { integration, namespace, extracted: [], gone: [] };
    imports.set(namespace, made);
    return made;
  };
  const places = new Map<string, DescribedPlace>();
  await describeDatasets(folded, datasets, places, into);
  await describeJobs(folded, jobs, places, into);
  for (const one of imports.values()) await run(ctx, one);
  return places;
}

type Into = (namespace: string) => Promise<Import | null>;

async function describeDatasets(
  folded: Folded,
  datasets: ReadonlyMap<string, KnownDataset>,
  places: Map<string, DescribedPlace>,
  into: Into,
): Promise<void> {
  const said = saidOfAll(datasets);
  for (const dataset of datasets.values()) {
    if (dataset.standsFor !== null) {
      // Described by itself before it was known what it stands for.
      if (dataset.key !== null) (await into(dataset.namespace))?.gone.push(dataset.key);
      places.set(dataset.id, { integrationId: null, key: null, described: null });
      continue;
    }
    const description = describeDataset(dataset, said.get(dataset.id) ?? dataset.said);
    const namespace = readName(latestOf(dataset.said, '<name'))?.namespace ?? dataset.namespace;
    const heard = folded.datasets.get(dataset.id)?.saying.said ?? {};
    const tests = describeTests(heard, dataset.id, description.key);
    const to = await place(dataset, description, namespace, places, into);
    if (to && tests.length > 0) to.extracted.push(...tests);
  }
}

async function describeJobs(
  folded: Folded,
  jobs: ReadonlyMap<string, KnownThing>,
  places: Map<string, DescribedPlace>,
  into: Into,
): Promise<void> {
  for (const job of jobs.values()) {
    const parent = parentOf(job, jobs);
    const description = describeJob(job, parent && jobKey(parent));
    const heard = folded.jobs.get(job.id)?.saying.said ?? {};
    const tests = describeTests(heard, job.id, undefined);
    const to = await place(job, description, jobsNamespace, places, into);
    if (to && tests.length > 0) to.extracted.push(...tests);
  }
}

/** Put what is new of something into the import of its integration, which is answered. */
async function place(
  thing: KnownThing,
  { key, hash, extracted, gone }: Description,
  namespace: string,
  places: Map<string, DescribedPlace>,
  into: Into,
): Promise<Import | null> {
  const to = await into(namespace);
  const integrationId = to?.integration.id ?? null;
  const described = idOf([integrationId, hash]);
  // What was dropped has no place that lineage could lead to.
  places.set(thing.id, { integrationId, key: gone.length > 0 ? null : key, described });
  if (!to || thing.described === described) return to;
  // What was dropped before it was described was never there.
  if (gone.length > 0 && thing.described === null) return to;
  to.extracted.push(...extracted);
  to.gone.push(...gone);
  return to;
}

/** What is said of datasets under all of their names. */
function saidOfAll(datasets: ReadonlyMap<string, KnownDataset>): ReadonlyMap<string, Said> {
  const all = new Map<string, Said>();
  for (const { id, standsFor, said } of datasets.values()) {
    const main = standsFor ?? id;
    const { '<name': _, ...rest } = said;
    const own = main === id ? said : rest;
    all.set(main, mergeSaid(all.get(main) ?? {}, own));
  }
  return all;
}

/** The job that a job is a part of: the root of its runs, else their parent; none where that would be a circle. */
function parentOf(job: KnownThing, jobs: ReadonlyMap<string, KnownThing>): KnownThing | undefined {
  const above = (one: KnownThing) => {
    const id = textOf(latestOf(one.said, 'root') ?? latestOf(one.said, 'parent'), 36);
    return id === undefined ? undefined : jobs.get(id);
  };
  const parent = above(job);
  let at = parent;
  for (let level = 0; at !== undefined; level += 1) {
    if (at.id === job.id || level > mostLevels) return undefined;
    at = above(at);
  }
  return parent;
}

const mostLevels = 20;

/** Import what is new into an integration; nothing else can be imported into it in the meantime. */
async function run(ctx: ServerContext, { integration, namespace, extracted, gone }: Import) {
  if (extracted.length === 0 && gone.length === 0) return;
  const title = 'OpenLineage';
  const { done } = await beginHere(
    ctx,
    {
      kind: importJob,
      title: `Events of OpenLineage into ${integration.name}`,
      dedupeKey: syncKey(integration.id),
      busy: 'A sync of this integration is in progress.',
      ifLost: 'The server stopped before this had ended; the events are read again.',
    },
    (job) =>
      runImport(job.ctx, {
        integration,
        extraction: inOrder(extracted),
        ...{ file: title, title, origin: 'RUN', dryRun: false, force: true, isProject: false },
        covers: { resources: true, lineage: false, tests: false },
        readDeclarations: null,
        stale: { keys: gone },
        source: addressOfNamespace(namespace),
        watch: {
          log: job.log,
          progress: job.progress,
          finish: (tx, result) => job.complete(tx, result),
        },
      }),
  );
  await done;
}

/** Resources before what is about them. */
async function* inOrder(extracted: readonly Extracted[]) {
  yield* extracted.filter(({ is }) => is === 'resource');
  yield* extracted.filter(({ is }) => is !== 'resource');
}
