// Syncs an integration with its live source: who may, one at a time, and what follows.

import { record } from '../../audit/audit.ts';
import { mustMayImport } from '../../auth/permission.ts';
import type { Context, ServerContext } from '../../context.ts';
import { transaction } from '../../database/transaction.ts';
import { conflict, invalid } from '../../errors.ts';
import type { Integration, Job } from '../../generated/prisma/client.ts';
import { endDead } from '../../jobs/here.ts';
import { enqueueJob, payloadOf } from '../../jobs/job.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { JobHandler, Run } from '../../jobs/run.ts';
import { enqueueTrace } from '../../lineage/queries/trace-job.ts';
import { sourceAddress } from '../addresses/credentials-address.ts';
import { openPlace } from '../artifacts/open-place.ts';
import { pullArtifacts } from '../artifacts/pull.ts';
import type { Connector } from '../connectors/connector.ts';
import { driverMissing } from '../connectors/driver-missing.ts';
import { isLive, lineageBroughtBy, openConnector } from '../connectors/open.ts';
import type { DeclarationReader } from '../imports/declared.ts';
import { runImport } from '../imports/import.ts';
import type { ImportCounts } from '../imports/options.ts';
import { getIntegration } from '../integration.ts';
import { uploadsOf } from '../integration-type.ts';
import type { Extraction } from '../readers/extraction.ts';
import { syncKey } from '../sync-key.ts';
import { enqueueHistory } from './query-history.ts';

/** The kind of job that reads a live source. */
export const syncJob = 'sync' satisfies JobKind;

/** A source that does not answer is asked so often in all. */
export const syncAttempts = 3;

/**
 * Sync an integration with its source, in the background; admins may. For a transformation project
 * whose artifacts were uploaded the SQL of its models is read again. Throws BAD_REQUEST where nothing
 * can be extracted, naming what is missing, and CONFLICT while another sync is in progress. `force` lets it
 * make most of the integration stale, which otherwise fails the job.
 */
export async function triggerSync(
  ctx: ServerContext,
  integrationId: string,
  { force = false }: { readonly force?: boolean } = {},
): Promise<Job> {
  mustMayImport(ctx, integrationId);
  const integration = await getIntegration(ctx, integrationId);
  await mustHaveSource(ctx, integration);
  const dedupeKey = syncKey(integration.id);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const job = await transaction(ctx, (tx) => startSync(tx, integration, dedupeKey, force));
    if (job) return job;
    // An import that died with its process would otherwise stand in the way.
    if (!(await endDead(ctx, dedupeKey))) break;
  }
  throw conflict('A sync of this integration is in progress.');
}

/** Make the job of a sync; null where another one is in progress. */
async function startSync(
  tx: Context,
  { id, name }: Integration,
  dedupeKey: string,
  force: boolean,
): Promise<Job | null> {
  const { job, created } = await enqueueJob(tx, {
    kind: syncJob,
    title: `Sync of ${name}`,
    payload: { integrationId: id, ...(force ? { force } : {}) },
    dedupeKey,
    maxAttempts: syncAttempts,
  });
  if (!created) return null;
  await record(tx, {
    activity: 'integration_sync_started',
    subject: { id, kind: 'integration', title: name, integrationId: id },
    related: { ids: [job.id], type: 'job' },
  });
  return job;
}

async function mustHaveSource(ctx: ServerContext, integration: Integration): Promise<void> {
  const missing = driverMissing(integration.type);
  if (missing) throw invalid(`Nothing can be extracted. ${missing}`);
  if (isLive(integration.type)) {
    // Opening connects to nothing, but looks whether the credentials are there.
    const connector = await openConnector(ctx, integration);
    await connector.close();
    return;
  }
  if (uploadsOf(integration.type) !== 'artifacts') {
    throw invalid(
      `Nothing can be extracted: an integration of type ${integration.type} is fed by uploads.`,
    );
  }
  if (await openPlace(ctx, integration)) return;
  if (integration.scheduledExtractionsLastRun === null) {
    throw invalid(
      'Nothing can be extracted: upload the artifacts of the project first, or say in its credentials where they lie.',
    );
  }
}

/**
 * What reads the source of a job's integration into the catalog: all of it, or nothing. What projects declare for other
 * features goes to who reads that.
 */
export function syncHandler(readDeclarations: DeclarationReader): JobHandler {
  return (run) => runSync(run, readDeclarations);
}

async function runSync(run: Run, readDeclarations: DeclarationReader): Promise<unknown> {
  const { job, ctx, log } = run;
  const integration = await getIntegration(ctx, integrationOf(job));
  const force = payloadOf(job).force === true;
  if (!isLive(integration.type)) {
    const place = await openPlace(ctx, integration);
    if (place) return pullArtifacts(run, integration, place, { readDeclarations, force });
    const trace = await enqueueTrace(ctx, integration);
    log(trace ? 'The SQL of its models is read again.' : 'None of its models has SQL to read.');
    return { trace: trace?.id ?? null };
  }
  const connector = await openConnector(ctx, integration);
  try {
    return await readSource(run, integration, connector, force);
  } finally {
    await connector.close();
  }
}

/** Read a source into the catalog, as part of a run that ends with it. */
export async function readSource(
  { ctx, log, progress, complete }: Pick<Run, 'ctx' | 'log' | 'progress' | 'complete'>,
  integration: Integration,
  connector: Connector,
  force = false,
): Promise<ImportCounts> {
  const since = integration.scheduledExtractionsLastRun;
  const watch = { note: log, signal: ctx.signal };
  const lineage = lineageBroughtBy(integration.type);
  return runImport(ctx, {
    integration,
    extraction: counted(connector.extract(watch), progress),
    file: integration.name,
    title: 'Source',
    origin: lineage === 'recorded' ? 'SOURCE' : 'IMPORT',
    // What the SQL of a database says of lineage is read afterwards.
    covers: { resources: true, lineage: lineage !== null, tests: false },
    readDeclarations: null,
    stale: 'everything',
    force,
    isProject: false,
    source: await sourceAddress(ctx, integration),
    dryRun: false,
    isLive: true,
    watch: {
      log,
      progress,
      async finish(tx, result) {
        if (connector.queryHistory) await enqueueHistory(tx, integration, since);
        await complete(tx, result);
      },
    },
  });
}

/** Report the progress; an answer without anything is no answer. */
async function* counted(extraction: Extraction, progress: Run['progress']): Extraction {
  let tables = 0;
  let isEmpty = true;
  for await (const piece of extraction) {
    isEmpty = false;
    if (piece.is === 'resource' && piece.resource.kind === 'table') {
      tables += piece.resource.standing === 'named' ? 1 : 0;
      if (tables % 100 === 1) progress('reading the source', tables);
    }
    yield piece;
  }
  // All that is known of it would become stale, more likely for want of a grant than of a table.
  if (isEmpty)
    throw invalid('This login cannot see any tables in the source, so nothing was changed.');
}

/** The integration that a job is about. */
function integrationOf(job: Job): string {
  return String(payloadOf(job).integrationId ?? '');
}
