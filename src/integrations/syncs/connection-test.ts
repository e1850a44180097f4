// Tries the connection to a source, with its stored credentials or with others.

import { record } from '../../audit/audit.ts';
import { changeOf, type FieldChange } from '../../audit/changes.ts';
import { mustBeAllowed } from '../../auth/permission.ts';
import type { ServerContext } from '../../context.ts';
import type { ConnectionReport } from '../connectors/connector.ts';
import { openConnector } from '../connectors/open.ts';
import type { Credentials } from '../credentials.ts';
import { getIntegration } from '../integration.ts';

const tried: FieldChange = {
  ...changeOf('credentials', null, null),
  note: 'Other credentials than the stored ones were tried; they are not kept.',
};

/**
 * Try the connection and say in words what is missing; admins may. With credentials those are tried,
 * and kept nowhere. Throws BAD_REQUEST for credentials that lack something, naming the field.
 */
export async function testConnection(
  ctx: ServerContext,
  integrationId: string,
  credentials?: Credentials | null,
): Promise<ConnectionReport> {
  mustBeAllowed(ctx, 'manage integrations');
  const integration = await getIntegration(ctx, integrationId);
  const connector = await openConnector(ctx, integration, credentials ?? undefined);
  try {
    const report = await connector.test();
    const { id, name } = integration;
    await record(ctx, {
      activity: 'integration_connection_tested',
      subject: { id, kind: 'integration', title: name, integrationId: id },
      changes: [changeOf('ok', null, report.ok), ...(credentials ? [tried] : [])],
    });
    return report;
  } finally {
    await connector.close();
  }
}
