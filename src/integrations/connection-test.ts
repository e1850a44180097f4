// In charge of trying the connection to a source, with its stored credentials or with others.

import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import type { ConnectionReport } from './connectors/connector.ts';
import { openConnector } from './connectors/open.ts';
import type { Credentials } from './credentials.ts';
import { getIntegration } from './integration.ts';

/**
 * Try the connection and say in words what is missing; admins may. With credentials those are tried,
 * and kept nowhere. Throws BAD_REQUEST for credentials that lack something, naming the field.
 */
export async function testConnection(
  ctx: Context,
  integrationId: string,
  credentials?: Credentials | null,
): Promise<ConnectionReport> {
  mustBeAllowed(ctx, 'manage integrations');
  const integration = await getIntegration(ctx, integrationId);
  const connector = await openConnector(ctx, integration, credentials ?? undefined);
  try {
    return await connector.test();
  } finally {
    await connector.close();
  }
}
