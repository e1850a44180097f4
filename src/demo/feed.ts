// In charge of feeding the sample's integrations with its files, as clients would.

import { createReadStream } from 'node:fs';
import type { Context } from '../context.ts';
import { createIntegration } from '../integrations/integration.ts';
import type { Source } from '../integrations/source.ts';
import { importArtifacts, importJsonl } from '../integrations/sync.ts';
import { allNamed, type Organization } from './organization.ts';
import { type Sample, sampleFile } from './sample.ts';

type SampleIntegration = Sample['integrations'][number];

/** Make the integrations and import their files, in the order in which the sample names them. */
export async function feed(
  ctx: Context,
  { integrations }: Sample,
  organization: Organization,
  tell: (line: string) => void,
): Promise<void> {
  for (const integration of integrations) {
    tell(`${integration.name}: ${filesOf(integration).join(', ')}`);
    const id = await integrationOf(ctx, integration, organization);
    const { resources, lineages, manifest, runResults, catalog } = integration;
    const files = { resources: source(resources), lineages: source(lineages) };
    if (files.resources || files.lineages) await importJsonl(ctx, id, files);
    else {
      await importArtifacts(ctx, id, {
        manifest: source(manifest),
        runResults: source(runResults),
        catalog: source(catalog),
      });
    }
  }
}

function filesOf({ name: _, type: __, teams: ___, ...files }: SampleIntegration): string[] {
  return Object.values(files).filter((file) => file !== undefined);
}

async function integrationOf(
  ctx: Context,
  { name, type, teams }: SampleIntegration,
  organization: Organization,
): Promise<string> {
  const { workspaceId } = ctx;
  const found = await ctx.db.integration.findFirst({ where: { workspaceId, name } });
  if (found) return found.id;
  const teamIds = allNamed(organization.teams, teams);
  return (await createIntegration(ctx, { name, type, teamIds })).id;
}

function source(path: string | undefined): Source | undefined {
  return path === undefined ? undefined : { file: path, bytes: createReadStream(sampleFile(path)) };
}
