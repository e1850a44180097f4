// In charge of an import as a whole: read, stage, plan, then write it all in one transaction or nothing.

import { record } from '../../audit/audit.ts';
import type { Context } from '../../context.ts';
import { announce } from '../../database/announce.ts';
import { rows } from '../../database/rows.ts';
import { atLength, scratch } from '../../database/scratch.ts';
import { notFound } from '../../errors.ts';
import { type Integration, Prisma } from '../../generated/prisma/client.ts';
import type { LineageOrigin } from '../../lineage/connect.ts';
import { enqueueTrace } from '../../lineage/trace.ts';
import { applyTests, countTests, type TestCounts } from '../data-test.ts';
import {
  type CheckedDeclarations,
  checkDeclared,
  type MonitorCounts,
  nothingDeclared,
} from '../declared.ts';
import type { Extraction } from '../extraction.ts';
import { publishesImports } from '../integration-properties.ts';
import { type ApplyOptions, applyResources, countResources, type ResourceCounts } from './apply.ts';
import { declaredTargets } from './declared-targets.ts';
import type { StaleRule } from './gone.ts';
import { Loader } from './load.ts';
import { countEdges, type EdgeCounts, mergeEdges } from './merge-edges.ts';
import { alongside, mayOverlap } from './overlap.ts';
import { closeStage, openStage, type Stage } from './stage.ts';

/** What an import did, or, on a dry run, would do. */
export interface ImportCounts extends ResourceCounts {
  readonly lineage: EdgeCounts & {
    /** Lines that point at nothing the catalog knows. */
    readonly unknown: number;
  };
  readonly tests: TestCounts;
  readonly monitors: MonitorCounts;
}

/** What an import tells while it runs. */
export interface ImportWatch {
  log(line: string): void;
  progress(step: string, done: number, total?: number): void;
  /** Called in the transaction of the merge, before it commits: the end of the job it is part of. */
  readonly finish?: (tx: Context, counts: ImportCounts) => Promise<void>;
}

export interface ImportOptions {
  readonly integration: Integration;
  readonly extraction: Extraction;
  /** What messages call the file of the resources. */
  readonly file: string;
  /** What messages call the import, such as `CSV`. */
  readonly title: string;
  readonly origin: LineageOrigin;
  /** Which parts the source tells: what it doesn't tell at all is left alone. */
  readonly tells: {
    readonly resources: boolean;
    readonly lineage: boolean;
    readonly tests: boolean;
    readonly declarations?: boolean;
  };
  readonly stale: StaleRule;
  /** True where tables that another integration brought are decorated rather than doubled. */
  readonly decorate: boolean;
  readonly dryRun: boolean;
  readonly watch: ImportWatch;
}

/**
 * Import what a source tells. All of it is written in one transaction, or, where anything is wrong
 * with it, nothing. The file is read and planned before that, on scratch tables: nobody waits for it.
 */
export async function runImport(ctx: Context, options: ImportOptions): Promise<ImportCounts> {
  const { integration, watch, dryRun } = options;
  const stage = await openStage(ctx, integration.id);
  try {
    const loader = new Loader(ctx, stage, options);
    await loader.readResources();
    if (!dryRun) {
      const counts = await readAndMerge(ctx, stage, options, loader);
      await refreshFigures(ctx, counts);
      return counts;
    }
    await loader.readRest(ctx);
    const counts = await atLength(ctx, (tx) => weigh(tx, stage, options, loader));
    for (const line of inWords(counts, true)) watch.log(line);
    return counts;
  } finally {
    await closeStage(ctx, integration.id);
  }
}

/** What an import would do. */
async function weigh(
  ctx: Context,
  stage: Stage,
  options: ImportOptions,
  loader: Loader,
): Promise<ImportCounts> {
  const { resources, edges, tests } = rulesOf(options);
  const { unknown } = loader;
  const declared = await checkedOf(ctx, stage, options, loader);
  const lineage = options.tells.lineage ? await countEdges(ctx, stage, edges) : noEdges;
  return {
    ...(await countResources(ctx, stage, resources)),
    lineage: { ...lineage, unknown },
    tests: await countTests(ctx, stage, tests),
    monitors: await declared.count(ctx),
  };
}

/** Read what is left and write everything; on a server, a large import does both at once. */
async function readAndMerge(
  ctx: Context,
  stage: Stage,
  options: ImportOptions,
  loader: Loader,
): Promise<ImportCounts> {
  // What is declared is checked before anything is written.
  if (!loader.hasLineage || options.tells.declarations || !mayOverlap(ctx, loader.resources)) {
    await loader.readRest(ctx);
    return atLength(ctx, (tx) => merge(tx, stage, options, loader, async () => {}));
  }
  loader.isQuiet = true;
  return alongside(
    ctx,
    (aside) => loader.readRest(aside),
    (main, read) =>
      atLength(main, (tx) =>
        merge(tx, stage, options, loader, () => {
          loader.isQuiet = false;
          return read;
        }),
      ),
  );
}

/** Write everything, in one transaction; `read` waits until the lineage is read. */
async function merge(
  tx: Context,
  stage: Stage,
  options: ImportOptions,
  loader: Loader,
  read: () => Promise<void>,
): Promise<ImportCounts> {
  const { integration, watch, tells } = options;
  const { labels } = loader;
  const rules = rulesOf(options);
  tx.signal.throwIfAborted();
  await holdIntegration(tx, integration.id);
  const declared = await checkedOf(tx, stage, options, loader);
  await labels.settle(tx, stage, integration.id);
  const resources = await applyResources(tx, stage, rules.resources, (done, total) =>
    watch.progress('writing resources', done, total),
  );
  await read();
  const lineage = tells.lineage
    ? await mergeEdges(tx, stage, rules.edges, (done, total) =>
        watch.progress('writing lineage', done, total),
      )
    : noEdges;
  const tests = await applyTests(tx, stage, rules.tests);
  const monitors = await declared.write(tx);
  const counts = {
    ...resources,
    lineage: { ...lineage, unknown: loader.unknown },
    tests,
    monitors,
  };
  await conclude(tx, options, counts);
  return counts;
}

/** What the source declares for other features, checked before anything is written. */
async function checkedOf(
  ctx: Context,
  stage: Stage,
  { integration, file, tells, stale, watch }: ImportOptions,
  { declared }: Loader,
): Promise<CheckedDeclarations> {
  if (!tells.declarations) return nothingDeclared;
  return checkDeclared(ctx, {
    integration,
    file,
    declared,
    isWhole: stale !== 'nothing',
    log: watch.log,
    targets: (context, names) => declaredTargets(context, stage, integration.id, stale, names),
  });
}

/** What holds for each part of an import. */
function rulesOf({ integration, origin, stale, tells }: ImportOptions) {
  const { id: integrationId, teamIds } = integration;
  const resources: ApplyOptions = {
    integrationId,
    teamIds,
    published: publishesImports(integration),
    stale: tells.resources ? stale : 'nothing',
  };
  const isSync = stale !== 'nothing';
  return {
    resources,
    edges: { integrationId, origin, end: isSync },
    tests: { integrationId, stale: isSync && tells.tests && tells.resources },
  };
}

/** Rows from which on the database should look anew at how many there are of what. */
const manyRows = 10_000;

/** Without new figures the database would go on planning as if the catalog were as small as before. */
async function refreshFigures(ctx: Context, { created, lineage }: ImportCounts): Promise<void> {
  if (created > manyRows) await scratch(ctx, 'analyze resource');
  if (lineage.created > manyRows) await scratch(ctx, 'analyze lineage_edge');
}

const noEdges: EdgeCounts = { created: 0, ended: 0, unchanged: 0 };

/** Lock the integration: it cannot be deleted while resources are written into it. */
async function holdIntegration(tx: Context, id: string): Promise<void> {
  const found = await rows(
    tx,
    Prisma.sql`update integration set scheduled_extractions_last_run = ${tx.now()}::timestamptz
      where workspace_id = ${tx.workspaceId}::uuid and id = ${id}::uuid returning id`,
  );
  if (found.length === 0) throw notFound('Integration');
}

async function conclude(tx: Context, options: ImportOptions, counts: ImportCounts): Promise<void> {
  const { id, name } = options.integration;
  await record(tx, {
    activity: 'integration_synced',
    subject: { id, kind: 'integration', title: name, integrationId: id },
    says: `${options.title} import into ${name}: ${inWords(counts, false)[0]}`,
  });
  for (const line of inWords(counts, false)) options.watch.log(line);
  await options.watch.finish?.(tx, counts);
  const { created, updated, staled } = counts;
  if (created + updated + staled > 0) await announce(tx, 'resource');
  // What is made with SQL is traced in the background, by a job that starts when this commits.
  if (created + updated > 0) await enqueueTrace(tx, options.integration);
}

function inWords(counts: ImportCounts, dryRun: boolean): string[] {
  const { lineage, tests, monitors, ...resources } = counts;
  const said = (what: string, parts: Readonly<Record<string, number>>) => {
    const list = Object.entries(parts).map(([word, number]) => `${number} ${word}`);
    return `${dryRun ? 'Would be done. ' : ''}${what}: ${list.join(', ')}.`;
  };
  const isAny = (parts: object) => Object.values(parts).some((number) => number > 0);
  const { created, updated, staled, unchanged } = resources;
  const lines = [said('Resources', { created, updated, stale: staled, unchanged })];
  if (isAny(lineage)) {
    const { created, ended, unchanged, unknown } = lineage;
    const pointless = { 'lines that point at nothing known': unknown };
    lines.push(said('Lineage', { created, ended, unchanged, ...pointless }));
  }
  if (isAny(tests)) {
    const { created, updated, staled, unchanged, results } = tests;
    const all = { created, updated, stale: staled, unchanged, 'results of runs': results };
    lines.push(said('Tests', all));
  }
  if (isAny(monitors)) {
    const { created, updated, removed, unchanged, waiting } = monitors;
    lines.push(said('Monitors', { created, updated, removed, unchanged, waiting }));
  }
  return lines;
}
