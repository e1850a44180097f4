// The file of a project that says how something is made.

import { z } from 'zod';
import type { Context } from '../context.ts';
import { loaderOf } from '../database/loader.ts';
import { rows } from '../database/rows.ts';
import { Prisma, type Resource } from '../generated/prisma/client.ts';
import { loadDescribers } from './claims/describers.ts';
import { addressInRepository } from './integration-properties.ts';

/** A file of a project, as far as the project says it. */
export interface SourceFile {
  /** Within the repository, or the package that the project takes it from. */
  readonly path: string | null;
  /** Where people read it. */
  readonly url: string | null;
  /** What somebody wrote there, where it isn't what was made of it. */
  readonly rawCode: string | null;
  readonly language: string | null;
}

const text = z.string().min(1).nullish().catch(null);
const said = z
  .object({
    path: text,
    raw_code: text,
    language: text,
    from_package: z.boolean().nullish().catch(null),
  })
  .catch({ path: null, raw_code: null, language: null, from_package: null });
/** What a project says stands by itself where a warehouse describes the same. */
const ofBoth = z.object({ transform: z.unknown() }).catch({ transform: undefined });

/** The file of a project that a resource, which the viewer may see, is made by; null where none is known. */
export async function loadSourceFile(
  ctx: Context,
  resource: Pick<Resource, 'id' | 'integrationId' | 'sourceMetadata'>,
): Promise<SourceFile | null> {
  const { sourceMetadata: metadata } = resource;
  const file = said.parse(ofBoth.parse(metadata).transform ?? metadata);
  const { path = null, raw_code: rawCode = null, language = null, from_package } = file;
  if (path === null && rawCode === null) return null;
  const git = path === null || from_package ? null : await repositoryOf(ctx, resource);
  const url = path === null ? null : addressInRepository(git, path);
  return { path, url, rawCode, language };
}

async function repositoryOf(
  ctx: Context,
  { id, integrationId }: Pick<Resource, 'id' | 'integrationId'>,
): Promise<unknown> {
  const live = (await loadDescribers(ctx, id)).filter(({ isLive }) => isLive);
  const project = ['model', 'source'].flatMap(
    (wanted) => live.find(({ role }) => role === wanted) ?? [],
  );
  const by = project[0]?.integrationId ?? integrationId;
  return by === null ? null : loaderOf(ctx, repositoriesById).load(by);
}

/** The addresses of the repositories of projects, by the ids of these: who sees a resource may read of its file. */
async function repositoriesById(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, unknown>> {
  const found = await rows<{ id: string; git: unknown }>(
    ctx,
    Prisma.sql`select i.id, i.properties -> 'git_url' as git from integration i
      where i.workspace_id = ${ctx.workspaceId}::uuid and i.id = any(${[...ids]}::uuid[])`,
  );
  return new Map(found.map(({ id, git }) => [id, git]));
}
