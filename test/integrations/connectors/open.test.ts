// Which types of integrations connect, and what the others say.

import { expect, test } from 'vitest';
import { isLive, liveTypes, openConnector } from '../../../src/integrations/connectors/open.ts';
import { createIntegration } from '../../../src/integrations/integration.ts';
import { openCatalog } from '../../catalog.ts';

test('sources without a driver say so, whatever they are asked', async () => {
  await using catalog = await openCatalog();
  const { admin } = catalog;
  for (const type of ['sqlserver', 'oracle']) {
    const integration = await createIntegration(admin, { type, credentials: { password: 'x' } });
    const connector = await openConnector(admin, integration);
    const { ok, checks } = await connector.test();
    expect(ok, type).toBe(false);
    expect(checks).toMatchObject([
      { name: 'driver', message: expect.stringContaining('not installed') },
    ]);
    await expect(connector.query('SELECT 1', { timeoutMs: 100 })).rejects.toThrow('not installed');
    const first = connector
      .extract({ note() {} })
      [Symbol.asyncIterator]()
      .next();
    await expect(first).rejects.toThrow('not installed');
    await connector.close();
  }
});

test('types that uploads feed have nothing to connect to', async () => {
  await using catalog = await openCatalog();
  for (const type of ['custom', 'dbt_core', 'chat', 'looker', 'constructor']) {
    expect(isLive(type), type).toBe(false);
    const integration = await createIntegration(catalog.admin, { type });
    await expect(openConnector(catalog.admin, integration), type).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  }
  expect(liveTypes).toContain('postgres');
});
