// An import as a whole: read, stage, plan, then write it all in one transaction or nothing.

import { randomUUID } from 'node:crypto';
import type { ServerContext } from '../../context.ts';
import { takeImportPlace } from '../../database/connections/limits.ts';
import { atLength } from '../../database/scratch.ts';
import type { CatalogError } from '../../errors.ts';
import { enqueueTrace } from '../../lineage/queries/trace-job.ts';
import { applyTests, countTests } from '../data-tests/data-test.ts';
import { publishesImports } from '../integration-properties.ts';
import { stayingInWords } from './answers.ts';
import { type ApplyOptions, changeResources, countResources, insertResources } from './apply.ts';
import { type ClaimOptions, PlanOutdated } from './claims.ts';
import { conclude, inWords, refreshFigures } from './conclude.ts';
import { type CheckedDeclarations, nothingDeclared } from './declared.ts';
import { changeEdges, type EdgeCounts, insertEdges } from './edges/merge-edges.ts';
import { refusalOf } from './guard.ts';
import { listChanges } from './listed.ts';
import type { ImportCounts, ImportOptions } from './options.ts';
import { alongside, takeSecondPlace } from './overlap.ts';
import { type Changes, findChanges } from './planning/affected.ts';
import { declaredTargets } from './planning/declared-targets.ts';
import { makeFigures } from './planning/figures.ts';
import { findPlaces, holdPlaces, samePlaces } from './planning/places.ts';
import { isKeyGiven, planAgain } from './planning/plan-again.ts';
import { holdIntegration, settleTeams } from './planning/teams.ts';
import { writeTermLinks } from './planning/term-links.ts';
import { Loader } from './staging/load.ts';
import { closeStage, openStage } from './staging/open-stage.ts';
import type { Stage } from './staging/stage.ts';
import { writeSaid } from './write-places.ts';

/**
 * Import what a source says. All of it is written in one transaction, or, where anything is wrong
 * with it, nothing. The file is read, planned and compared with the catalog before that, on scratch
 * tables: no one waits for it. It waits itself until it may have a connection, and for each.
 */
export async function runImport(ctx: ServerContext, options: ImportOptions): Promise<ImportCounts> {
  const { integration, watch, dryRun } = options;
  const takePlace = () =>
    takeImportPlace(ctx.database.pool, ctx.signal, () =>
      watch.progress('waiting for other imports', 0),
    );
  using _early = options.isLive ? null : await takePlace();
  const stage = await openStage(ctx, integration.id);
  try {
    const loader = new Loader(ctx, stage, options, rulesOf(options).edges);
    await loader.readResources();
    // Others need not wait for a source to answer.
    using _late = options.isLive ? await takePlace() : null;
    await makeFigures(ctx, loader.resources);
    await loader.planResources();
    const changes = await findChanges(ctx, stage, claimsOf(options, loader), (done, total) =>
      watch.progress('comparing with the catalog', done, total),
    );
    options.onChanges?.(await listChanges(ctx, stage, integration.id, changes));
    const refused = await refusalOf(ctx, {
      ...{ integrationId: integration.id, staled: changes.staled, named: loader.resources },
      ended: changes.shared.ended - Math.min(changes.shared.ended, changes.shared.staled),
      isUpload: !options.isLive && options.covers.resources && !loader.hasLineage,
      ...{ created: changes.created, force: options.force, isLive: options.isLive },
    });
    const refusal = refused?.error ?? null;
    if (!dryRun) {
      const counts = await readAndMerge(ctx, { stage, options, loader, changes, refusal });
      // What is written stands, whatever becomes of this; the database makes figures by itself, too.
      await refreshFigures(ctx, counts).catch(() => {});
      return counts;
    }
    if (refused) loader.problems.note(`It would be refused${refused.why}`);
    await loader.readRest(ctx);
    const counts = await atLength(ctx, (tx) =>
      weigh(tx, { stage, options, loader, changes, refusal }),
    );
    for (const line of inWords(counts, true)) watch.log(line);
    return counts;
  } finally {
    // Anyone who cancelled the import still wants its tables to go.
    const { db, database, workspaceId } = ctx;
    await closeStage({ db, database, workspaceId }, integration.id);
  }
}

/** An import that was read, or is being read. */
interface Work {
  readonly stage: Stage;
  readonly options: ImportOptions;
  readonly loader: Loader;
  readonly changes: Changes;
  /** Why it must not be written, though all of it can be read. */
  readonly refusal: CatalogError | null;
}

/** What an import would do. */
async function weigh(ctx: ServerContext, work: Work): Promise<ImportCounts> {
  const { stage, options, loader, changes } = work;
  const declared = await checkedOf(ctx, work);
  return {
    ...countResources(changes),
    taken: changes.taken,
    lineage: { ...edgeCountsOf(loader), unknown: loader.problems.unknown },
    tests: await countTests(ctx, stage, rulesOf(options).tests),
    monitors: await declared.count(ctx),
    ignored: loader.problems.ignored,
    problems: await problemsOf(ctx, work),
  };
}

/** Read what is left and write everything; a large import does both at once, where it may. */
async function readAndMerge(ctx: ServerContext, work: Work): Promise<ImportCounts> {
  const { loader, options } = work;
  // What is declared is checked before anything is written.
  const mayOverlap = loader.hasLineage && !options.readDeclarations;
  using second = mayOverlap ? takeSecondPlace(ctx, loader.resources) : null;
  if (!second) {
    await loader.readRest(ctx);
    return await mergeAll(ctx, work, async () => {});
  }
  loader.beQuiet();
  // The place is given back when both are done.
  return await alongside(
    ctx,
    (aside) => loader.readRest(aside),
    (main, read) =>
      mergeAll(main, work, () => {
        loader.speak();
        return read;
      }),
  );
}

/**
 * Write everything. Where somebody gave one of the keys to something since they were compared with the catalog, they are
 * compared again, and all of it is written again.
 */
async function mergeAll(
  ctx: ServerContext,
  work: Work,
  read: () => Promise<void>,
): Promise<ImportCounts> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await mergePlanned(ctx, work, read);
    } catch (error) {
      const isOver = isKeyGiven(error) || error instanceof PlanOutdated;
      if (attempt === maxPlans || !isOver) throw error;
      work.options.watch.log('Others have named the same things: comparing again.');
      // What is staged must not grow while it is planned.
      await read();
      work = { ...work, changes: await compareAgain(ctx, work) };
    }
  }
}

/** Plans that an import makes at most. */
const maxPlans = 3;

async function compareAgain(ctx: ServerContext, work: Work): Promise<Changes> {
  const { stage, options, loader } = work;
  const { integration } = options;
  loader.places = await planAgain(ctx, stage, loader.planning);
  if (loader.edges) await loader.findEdges();
  const changes = await findChanges(ctx, stage, claimsOf(options, loader));
  options.onChanges?.(await listChanges(ctx, stage, integration.id, changes));
  return changes;
}

/**
 * Write everything, from the start again where PostgreSQL ends the transaction for the sake of somebody
 * else's: what was read and planned is still there.
 */
function mergePlanned(
  ctx: ServerContext,
  work: Work,
  read: () => Promise<void>,
): Promise<ImportCounts> {
  let attempts = 0;
  return atLength(ctx, (tx) => {
    attempts += 1;
    if (attempts > 1) work.options.watch.log('Others have changed the same things: writing again.');
    return merge(tx, work, read);
  });
}

/**
 * Write everything, in one transaction; `read` waits until the lineage is read. What no one sees yet
 * comes first, and what others may want to change as well comes last: anyone who does waits from there
 * to the end.
 */
async function merge(
  tx: ServerContext,
  work: Work,
  read: () => Promise<void>,
): Promise<ImportCounts> {
  const { stage, options, loader, changes } = work;
  const { watch } = options;
  const reporter = (step: string) => (done: number, total: number) =>
    watch.progress(step, done, total);
  tx.signal.throwIfAborted();
  if (work.refusal) throw work.refusal;
  const integration = await holdIntegration(tx, options.integration);
  const rules = rulesOf({ ...options, integration });
  const resourceRules: ApplyOptions = {
    ...claimsOf(options, loader),
    ...{ file: options.file, places: loader.places, teamIds: integration.teamIds },
    published: publishesImports(integration),
  };
  const declared = await checkedOf(tx, work);
  await insertResources(tx, stage, resourceRules, changes, reporter('writing resources'));
  await read();
  const { edges } = loader;
  if (edges) await insertEdges(tx, stage, rules.edges, edges, reporter('writing lineage'));
  const tests = await applyTests(tx, stage, rules.tests);
  // What is made with SQL is traced in the background, by a job that starts when this commits.
  const isTraced = changes.created + changes.updated > 0;
  const trace = isTraced ? await enqueueTrace(tx, integration) : null;

  if (loader.places && (isTraced || changes.shared.isAny)) {
    await holdPlaces(tx);
    const now = await findPlaces(tx, stage.paths, loader.planning.describer);
    if (!samePlaces(now, loader.places)) throw new PlanOutdated();
  }
  await settleTeams(tx, stage, integration);
  await loader.labels.settle(tx, stage, integration.id);
  if (edges) await changeEdges(tx, stage, edges);
  const resources = await changeResources(
    tx,
    stage,
    resourceRules,
    changes,
    reporter('changing resources'),
  );
  await writeTermLinks(tx, stage);
  if (options.said) await writeSaid(tx, integration.id, options.said);
  // What is declared has entries of its own, which are parts of that of the import.
  const entry = randomUUID();
  const monitors = await declared.write({ ...tx, partOf: entry });
  const lineage = { ...edgeCountsOf(loader), unknown: loader.problems.unknown };
  const problems = await problemsOf(tx, work);
  const { ignored } = loader.problems;
  const counts = {
    ...resources,
    taken: changes.taken,
    lineage,
    tests,
    monitors,
    ignored,
    problems,
  };
  await conclude(tx, options, { counts, trace, kinds: changes.kinds, entry });
  return counts;
}

/** What is odd about what the source says, also as the catalog is, which people change in the meantime. */
async function problemsOf(
  ctx: ServerContext,
  { stage, options, loader, changes }: Work,
): Promise<string[]> {
  const staying = changes.moved > 0 ? await stayingInWords(ctx, stage, options.file) : [];
  for (const line of staying) options.watch.log(line);
  return loader.problems.listedWith(staying);
}

function edgeCountsOf({ edges }: Loader): EdgeCounts {
  const { created = 0, ended = 0, unchanged = 0 } = edges ?? {};
  return { created, ended, unchanged };
}

/** What the source declares for other features, checked before anything is written. */
async function checkedOf(
  ctx: ServerContext,
  { stage, options, loader }: Work,
): Promise<CheckedDeclarations> {
  const { integration, file, stale, watch, readDeclarations } = options;
  if (!readDeclarations) return nothingDeclared;
  return readDeclarations(ctx, {
    integration,
    file,
    declared: loader.declared,
    isWhole: stale !== 'nothing',
    log: watch.log,
    targets: (context, names) => declaredTargets(context, stage, integration.id, stale, names),
  });
}

/** Who describes resources in an import, and what becomes of those that it does not name. */
function claimsOf({ covers, stale }: ImportOptions, { planning }: Loader): ClaimOptions {
  return { describer: planning.describer, stale: covers.resources ? stale : 'nothing' };
}

/** What holds for the other parts of an import. */
function rulesOf({ integration, origin, stale, covers }: ImportOptions) {
  const { id: integrationId } = integration;
  const isSync = stale !== 'nothing';
  return {
    edges: { integrationId, origin, end: isSync },
    tests: { integrationId, stale: isSync && covers.tests && covers.resources },
  };
}
