// The database in which tables of a project lie that name none, where people said so.

import type { Context } from '../../context.ts';
import { scratch } from '../../database/scratch.ts';
import { ancestorsOf, type ExtractedResource, type Extraction } from '../readers/extraction.ts';

/** The database that people said; null where no one did. */
export async function databaseOfNameless(
  ctx: Context,
  integrationId: string,
): Promise<string | null> {
  const [found] = await scratch<{ becomes: string | null }>(
    ctx,
    `select a.becomes from integration_address a where a.workspace_id = $1::uuid
      and a.integration_id = $2::uuid and a.database = ''`,
    [ctx.workspaceId, integrationId],
  );
  return found?.becomes ?? null;
}

/** What a source says, with a database for each table and schema that names none. */
export async function* withDatabase(extraction: Extraction, database: string | null): Extraction {
  for await (const piece of extraction) {
    if (database === null || piece.is !== 'resource') yield piece;
    else
      for (const resource of placedIn(piece.resource, database)) yield { is: 'resource', resource };
  }
}

function placedIn(resource: ExtractedResource, database: string): ExtractedResource[] {
  if (resource.database) return [resource];
  const { line, kind, title, schema, cluster } = resource;
  if (kind === 'schema') return ancestorsOf({ line, cluster, database, schema: title });
  if (kind !== 'table') return [resource];
  const parentKey = ancestorsOf({ line, cluster, database, schema }).at(-1)?.key;
  return [{ ...resource, database, parentKey }];
}
