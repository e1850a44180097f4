// The user that the compose file signs in as: it owns the database, and is nothing more.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { functionsOfIndexes } from '../../src/database/leakproof.ts';
import { root } from '../house/sources.ts';
import { postgresProgram, startPostgres } from '../servers.ts';
import { startScript } from '../started.ts';

test('Headwater starts and serves as the owner that the script of the compose file makes', async ({
  skip,
}) => {
  await using server = await startPostgres(['timezone=UTC']);
  const psql = postgresProgram('psql');
  if (!server || !psql) return skip('It needs PostgreSQL.');
  const password = "f00d'feed";
  execFileSync('sh', [join(root, 'deploy/postgres/owner.sh')], {
    env: {
      PATH: `${dirname(psql)}:/usr/bin:/bin`,
      ...{ PGHOST: '127.0.0.1', PGPORT: String(server.port), POSTGRES_USER: 'owner' },
      DATABASE_PASSWORD: password,
    },
  });
  const rights = await server.run(
    `select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as more
      from pg_roles where rolname = 'headwater'`,
  );
  expect(rights).toEqual([{ more: false }]);
  const unmarked = await server.run(
    `select name from unnest(array[${functionsOfIndexes.map((name) => `'${name}'`).join(', ')}]) name
      where not (select proleakproof from pg_proc where oid = name::regprocedure)`,
    'headwater',
  );
  expect(unmarked).toEqual([]);
  const url = `postgresql://headwater:${encodeURIComponent(password)}@127.0.0.1:${server.port}/headwater`;
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-owner-'));
  const started = startScript('start.mjs', { DATA_DIR: dataDir, DATABASE_URL: url });
  try {
    const base = await started.ready();
    const answer = await fetch(`${base}/api/v1/tag`, {
      headers: { authorization: `Bearer ${await started.key()}` },
    });
    expect(answer.status).toBe(200);
    // A mistake in SQL reaches no program of the server.
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    const reached = client.query(`copy (select 1) to program 'true'`);
    await expect(reached.finally(() => client.end())).rejects.toMatchObject({ code: '42501' });
    expect(await started.stop()).toBe(0);
  } finally {
    await started.stop('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 120_000);
