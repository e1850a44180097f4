// Feeds the sample's integrations with its files, as clients would.

import { createReadStream } from 'node:fs';
import type { ServerContext } from '../context.ts';
import { rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { setIntegrationAddresses } from '../integrations/addresses/set-addresses.ts';
import { openConnector } from '../integrations/connectors/open.ts';
import type { Credentials } from '../integrations/credentials.ts';
import { importArtifacts, importJsonl } from '../integrations/imports/sync.ts';
import { createIntegration, getIntegration } from '../integrations/integration.ts';
import type { FileSource } from '../integrations/readers/source.ts';
import { readSource } from '../integrations/syncs/live-sync.ts';
import { readDeclaredMonitors } from '../monitors/declarations/declare.ts';
import { allNamed, type Organization } from './organization.ts';
import { type Sample, sampleFile } from './sample.ts';
import { buildStorefront, lastRunDay, storefrontAddress, storefrontPath } from './storefront.ts';

type SampleIntegration = Sample['integrations'][number];

/** What reports what is being done, and where files of live sources may lie. */
export interface FeedOptions {
  readonly report: (line: string) => void;
  readonly filesDir?: string | undefined;
}

/**
 * Make the integrations and import their files, in the order in which the sample names them. A live
 * source is left out where there is no folder for its file, or no driver to make it with.
 */
export async function feed(
  ctx: ServerContext,
  { integrations }: Sample,
  organization: Organization,
  { report, filesDir }: FeedOptions,
): Promise<void> {
  for (const integration of integrations) {
    if (integration.script !== undefined) {
      if (filesDir !== undefined)
        await feedLive(ctx, integration, organization, { report, filesDir });
      continue;
    }
    report(`${integration.name}: ${filesOf(integration).join(', ')}`);
    const id = await integrationOf(ctx, integration, organization);
    const { resources, lineages, manifest, runResults, catalog } = integration;
    const files = { resources: source(resources), lineages: source(lineages) };
    if (files.resources || files.lineages) await importJsonl(ctx, id, files);
    else {
      const run = source(runResults);
      const artifacts = {
        manifest: source(manifest),
        runResults: run && [run],
        catalog: source(catalog),
      };
      // It is written for another warehouse: no one would take its source for a table of the storefront.
      const address = storefrontAddress;
      await setIntegrationAddresses(ctx, id, [{ database: 'storefront', address }]);
      await importArtifacts(ctx, id, artifacts, readDeclaredMonitors);
    }
  }
}

/** Make the file of a live source, and read it as a sync does. */
async function feedLive(
  ctx: ServerContext,
  integration: SampleIntegration,
  organization: Organization,
  { report, filesDir }: Pick<FeedOptions, 'report'> & { readonly filesDir: string },
): Promise<void> {
  const { script = '', name } = integration;
  if (!(await buildStorefront(filesDir, script, lastRunDay(ctx.now())))) {
    report(`${name}: left out, because the driver of DuckDB is not installed`);
    return;
  }
  report(`${name}: ${script}`);
  const id = await integrationOf(ctx, integration, organization, { path: storefrontPath });
  const connector = await openConnector(ctx, { id, type: integration.type });
  try {
    const quiet = { log() {}, progress() {}, complete: async () => {} };
    await readSource({ ctx, ...quiet }, await getIntegration(ctx, id), connector);
  } finally {
    await connector.close();
  }
}

function filesOf({ name: _, type: __, teams: ___, ...files }: SampleIntegration): string[] {
  return Object.values(files).filter((file) => file !== undefined);
}

async function integrationOf(
  ctx: ServerContext,
  { name, type, teams }: SampleIntegration,
  organization: Organization,
  credentials?: Credentials,
): Promise<string> {
  const [found] = await rows<{ id: string }>(
    ctx,
    Prisma.sql`select id from integration
      where workspace_id = ${ctx.workspaceId}::uuid and name = ${name} limit 1`,
  );
  if (found) return found.id;
  const teamIds = allNamed(organization.teams, teams);
  return (await createIntegration(ctx, { name, type, teamIds, credentials })).id;
}

function source(path: string | undefined): FileSource | undefined {
  return path === undefined ? undefined : { file: path, bytes: createReadStream(sampleFile(path)) };
}
