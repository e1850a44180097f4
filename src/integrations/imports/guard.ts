// Imports that are refused: those that would empty an integration, more likely a mistake than what was meant, and those
// that a workspace has no room for.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { CatalogError, conflict, invalid } from '../../errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { mustFit, mustHaveStorage } from '../../limits/workspace-limits.ts';

/** An integration with fewer resources may lose most of them: half of three says little. */
const fewest = 20;

/** Why an import must not be written. */
interface Refusal {
  readonly error: CatalogError;
  /** What a dry run says after `It would be refused`. */
  readonly why: string;
}

/** What an import would make, how it was asked for, and what it would make stale. */
interface Planned extends Loss {
  readonly created: number;
  readonly force: boolean | undefined;
  /** True for a sync of a source. */
  readonly isLive: boolean | undefined;
}

/** Why an import must not be written; null where it may. */
export async function refusalOf(ctx: Context, planned: Planned): Promise<Refusal | null> {
  const loss = planned.force ? null : await lossOf(ctx, planned);
  if (loss)
    return { error: lossRefusal(loss, planned.isLive === true), why: ` without force: ${loss}.` };
  const error = await tooManyFor(ctx, planned.created);
  return error && { error, why: `: ${error.message}` };
}

/** What an import would make stale, and of how much. */
interface Loss {
  readonly integrationId: string;
  /** Resources that would become stale. */
  readonly staled: number;
  /** Those that it would no longer describe, though others do. */
  readonly ended: number;
  /** Resources that the source names. */
  readonly named: number;
  /** True for files that were to name some: a source may have none. */
  readonly isUpload: boolean;
}

/**
 * Why an import is refused: it names nothing, or would make more than half of at least 20 resources stale.
 * Null where it may go on.
 */
async function lossOf(
  ctx: Context,
  { integrationId, staled, ended, named, isUpload }: Loss,
): Promise<string | null> {
  const lost = staled + ended;
  if (lost === 0) return named === 0 && isUpload ? 'it names nothing' : null;
  const [found] = await rows<{ fresh: number }>(
    ctx,
    Prisma.sql`select count(*)::integer as fresh from resource r
      where r.workspace_id = ${ctx.workspaceId}::uuid and r.integration_id = ${integrationId}::uuid
        and not r.shared and not r.stale and not r.archived and r.databuilder_id is not null`,
  );
  const [claims] = await rows<{ live: number }>(
    ctx,
    Prisma.sql`select count(*)::integer as live from resource_claim c
      where c.workspace_id = ${ctx.workspaceId}::uuid and c.integration_id = ${integrationId}::uuid
        and c.live`,
  );
  const fresh = (found?.fresh ?? 0) + (claims?.live ?? 0);
  if (named > 0 && (fresh < fewest || lost * 2 <= fresh)) return null;
  const why = named === 0 ? 'it names nothing, and would' : 'it would';
  const what = ended === 0 ? 'stale' : 'stale, or leave them to other integrations';
  return `${why} make ${lost} of ${fresh} resources of this integration ${what}`;
}

/** The error that refuses an import, and says how to go on. */
function lossRefusal(loss: string, isLive: boolean): CatalogError {
  const refused = `refused: ${loss}. Nothing was changed.`;
  // A job would be run again after a CONFLICT, and find the same.
  if (isLive)
    return invalid(`The sync was ${refused} If that is meant, trigger it with force=true.`);
  return conflict(
    `The import was ${refused} If that is meant, repeat it with force=true; with stale=false what it ` +
      'does not name is left alone.',
  );
}

/** The error that refuses an import into a workspace that may not hold so many more resources; null where it may. */
async function tooManyFor(ctx: Context, created: number): Promise<CatalogError | null> {
  try {
    await mustHaveStorage(ctx);
    if (created > 0) await mustFit(ctx, 'resources', created, true);
    return null;
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
}
