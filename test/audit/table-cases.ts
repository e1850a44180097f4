// The cases of mutations that read the rows of a table: profiles and samples.

import { onTestFinished } from 'vitest';
import { createIntegration } from '../../src/integrations/integration.ts';
import type { Catalog } from '../catalog.ts';
import { startFake } from '../integrations/connectors/http-fake.ts';
import type { Case } from './activities.ts';

const q = (value: string) => JSON.stringify(value);

/** A table of a source that answers, whose rows admins may see. */
async function liveTable(catalog: Catalog): Promise<string> {
  const trino = await startFake(() => ({ body: { id: 'q', data: [['1']] } }));
  onTestFinished(() => trino[Symbol.asyncDispose]());
  const { id: integrationId } = await createIntegration(catalog.admin, {
    ...{ name: 'Live', type: 'trino', previewRoles: ['admin'] },
    credentials: { host: '127.0.0.1', port: trino.port, catalog: 'c', user: 'u' },
  });
  const { id } = await catalog.resource({ title: 'live' });
  await catalog.resource({ kind: 'column', parentId: id, title: 'id' });
  await catalog.database.prisma.resource.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id } },
    data: { integrationId, databaseName: 'c', schemaName: 's' },
  });
  return id;
}

export const tableCases: Readonly<Record<string, (catalog: Catalog) => Promise<Case>>> = {
  async profileTable(catalog) {
    const ask = `profileTable(tableId: ${q(await liveTable(catalog))}) { id }`;
    return { ask, says: 'asked for a profile of the table live' };
  },
  async sampleTable(catalog) {
    const ask = `sampleTable(tableId: ${q(await liveTable(catalog))}) { columns }`;
    return { ask, says: 'looked at rows of the table live', changes: ['rows'] };
  },
};
