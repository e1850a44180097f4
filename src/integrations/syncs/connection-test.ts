// Tries the connection to a source, with its stored credentials or with others.

import { record } from '../../audit/audit.ts';
import { changeOf, type FieldChange } from '../../audit/changes.ts';
import { mustBeAllowed } from '../../auth/permission.ts';
import type { ServerContext } from '../../context.ts';
import { CatalogError, invalidField } from '../../errors.ts';
import type { Integration } from '../../generated/prisma/client.ts';
import { type Obstacle, obstacleTo } from '../../network/reach.ts';
import { checkName } from '../../text/text.ts';
import type { ArtifactPlace } from '../artifacts/artifact-place.ts';
import { openPlace } from '../artifacts/open-place.ts';
import { type ConnectionReport, found, reportOf } from '../connectors/connector.ts';
import { failedConnection, sourceFailure, tooSlow } from '../connectors/failure.ts';
import { openConnector } from '../connectors/open.ts';
import type { Credentials } from '../credentials.ts';
import { getIntegration } from '../integration.ts';
import { withStoredSecrets } from '../stored-secrets.ts';

const tried: FieldChange = {
  ...changeOf('credentials', null, null),
  note: 'Other credentials than the stored ones were tried; they are not kept.',
};

/**
 * Try the connection and say in words what is missing; admins may. With credentials those are tried,
 * and kept nowhere; secrets that they leave out are the stored ones, where that is asked for. Throws BAD_REQUEST for credentials that lack something, naming the field.
 */
export async function testConnection(
  ctx: ServerContext,
  integrationId: string,
  credentials?: Credentials | null,
  keepsSecrets = false,
): Promise<ConnectionReport> {
  mustBeAllowed(ctx, 'manage integrations');
  const integration = await getIntegration(ctx, integrationId);
  const report = await reportOn(
    ctx,
    integration,
    credentials && keepsSecrets
      ? await withStoredSecrets(ctx, integration, credentials)
      : (credentials ?? undefined),
  );
  const { id, name } = integration;
  await record(ctx, {
    activity: 'integration_connection_tested',
    subject: { id, kind: 'integration', title: name, integrationId: id },
    changes: [changeOf('ok', null, report.ok), ...(credentials ? [tried] : [])],
  });
  return report;
}

async function reportOn(
  ctx: ServerContext,
  integration: Integration,
  credentials: Credentials | undefined,
): Promise<ConnectionReport> {
  const place = await openPlace(ctx, integration, credentials);
  if (place) return reportOnPlace(place, ctx.signal);
  const connector = await openConnector(ctx, integration, credentials);
  try {
    return await connector.test();
  } finally {
    await connector.close();
  }
}

async function reportOnPlace(place: ArtifactPlace, signal: AbortSignal): Promise<ConnectionReport> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(testMs)]);
  try {
    return reportOf(null, [found('artifacts', await place.look(limit))]);
  } catch (error) {
    signal.throwIfAborted();
    const failure = limit.aborted
      ? tooSlow('The test', testMs)
      : sourceFailure(error, place.scrub, '');
    return reportOf(null, [failedConnection(failure)]);
  }
}

/** People wait for a test. */
const testMs = 20_000;

const longestHost = 255;

/** What keeps this server from a host, before credentials for it are entered; null for nothing. Admins may ask. */
export async function hostObstacle(ctx: ServerContext, given: string): Promise<Obstacle | null> {
  mustBeAllowed(ctx, 'manage integrations');
  const host = checkName('host', given, longestHost);
  if (/\s/.test(host)) throw invalidField('host', 'Use the name or the address of a host.');
  try {
    return await obstacleTo(host, ctx.surroundings.reach);
  } catch (error) {
    // That a name leads nowhere is an answer as well.
    if (error instanceof CatalogError && error.code === 'UNAVAILABLE') {
      return { message: error.message, setting: null };
    }
    throw error;
  }
}
