// Pulls the artifacts of a project from where they lie, and imports what is new.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { type Integration, Prisma } from '../../generated/prisma/client.ts';
import type { Run } from '../../jobs/run.ts';
import { sourceFailure } from '../connectors/failure.ts';
import type { DeclarationReader } from '../imports/declared.ts';
import { runImport } from '../imports/import.ts';
import { contentOfArtifacts } from '../imports/sync.ts';
import type { ArtifactPlace, Pulled } from './artifact-place.ts';

/** How a pull is made. */
export interface PullOptions {
  readonly readDeclarations: DeclarationReader;
  /** Read also what did not change, and import also what makes most of the integration stale. */
  readonly force: boolean;
}

/** Import what is new in a place, as part of a run that ends with it. */
export async function pullArtifacts(
  { ctx, log, progress, complete }: Pick<Run, 'ctx' | 'log' | 'progress' | 'complete'>,
  integration: Integration,
  place: ArtifactPlace,
  { readDeclarations, force }: PullOptions,
): Promise<unknown> {
  const { folder: spool, maxBytes } = ctx.surroundings.uploads;
  await mkdir(spool, { recursive: true });
  const folder = await mkdtemp(join(spool, 'upload-'));
  try {
    progress('reading the artifacts', 0);
    const known = force ? new Map<string, string>() : await readVersions(ctx, integration.id);
    const pulled = await pullFrom(place, {
      known,
      folder,
      maxBytes,
      signal: ctx.signal,
      note: log,
    });
    if (!pulled?.artifacts) {
      await transaction(ctx, (tx) => noteNothing(tx, integration.id, pulled));
      log('Nothing to import: what is there was read before.');
      return { unchanged: true };
    }
    const { artifacts, versions } = pulled;
    const content = contentOfArtifacts(ctx, integration.id, artifacts, {
      maxBytes,
      readDeclarations,
    });
    return await runImport(ctx, {
      origin: 'ARTIFACT',
      isProject: true,
      readDeclarations: null,
      stale: 'everything',
      ...content,
      extraction: content.extraction(log),
      ...{ integration, force, dryRun: false },
      watch: {
        ...{ log, progress },
        async finish(tx, result) {
          await keepVersions(tx, integration.id, versions);
          await complete(tx, result);
        },
      },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What is new in a place. Throws what its failure means, without secrets. */
async function pullFrom(
  place: ArtifactPlace,
  request: Parameters<ArtifactPlace['pull']>[0],
): Promise<Pulled | null> {
  try {
    return await place.pull(request);
  } catch (error) {
    request.signal.throwIfAborted();
    throw sourceFailure(error, place.scrub, '');
  }
}

/** The versions of what was read, by what the place calls it. */
export async function readVersions(
  ctx: Context,
  integrationId: string,
): Promise<Map<string, string>> {
  const found = await rows<{ artifact: string; version: string }>(
    ctx,
    Prisma.sql`select a.artifact, a.version from read_artifact a
      where a.workspace_id = ${ctx.workspaceId}::uuid and a.integration_id = ${integrationId}::uuid`,
  );
  return new Map(found.map(({ artifact, version }) => [artifact, version]));
}

async function keepVersions(
  tx: Context,
  integrationId: string,
  versions: ReadonlyMap<string, string>,
): Promise<void> {
  await rows(
    tx,
    Prisma.sql`insert into read_artifact (workspace_id, integration_id, artifact, version, read_at)
      select ${tx.workspaceId}::uuid, ${integrationId}::uuid, v.artifact, v.version, ${tx.now()}::timestamptz
      from unnest(${[...versions.keys()]}::text[], ${[...versions.values()]}::text[]) v(artifact, version)
      on conflict (workspace_id, integration_id, artifact)
        do update set version = excluded.version, read_at = excluded.read_at`,
  );
}

/** A sync that found nothing new is one all the same. */
async function noteNothing(
  tx: Context,
  integrationId: string,
  pulled: Pulled | null,
): Promise<void> {
  if (pulled) await keepVersions(tx, integrationId, pulled.versions);
  await rows(
    tx,
    Prisma.sql`update integration i set scheduled_extractions_last_run = ${tx.now()}::timestamptz
      where i.workspace_id = ${tx.workspaceId}::uuid and i.id = ${integrationId}::uuid`,
  );
}
