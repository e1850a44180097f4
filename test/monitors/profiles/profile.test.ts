// Profiles and samples of tables on real sources: what is found, what personal columns hide, and who may see rows.

import { describe, expect, test } from 'vitest';
import { acrossWorkspaces } from '../../../src/database/outside.ts';
import { updateIntegration } from '../../../src/integrations/integration.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { startDueProfiles } from '../../../src/monitors/profiles/take-profile.ts';
import { handlers } from '../../../src/work.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { ended } from '../../jobs/ended.ts';
import { engineNames, enginesOf, tableOf } from '../scans/engines.ts';

const secret = 'zz-personal@example.com';

const engines = enginesOf(async (engine) => {
  await engine.run(
    'create table people (id int, email varchar(60), city varchar(40), age int, born timestamp, note varchar(40))',
  );
  const rows = Array.from({ length: 20 }, (_, i) => {
    const city = i < 12 ? "'Köln'" : i < 18 ? "'O''Fallon'" : `'Rare ${i}'`;
    return `(${i}, '${secret}', ${city}, ${i < 5 ? 'null' : 20 + i}, '20${10 + i}-01-01 00:00:00', null)`;
  });
  await engine.run(`insert into people values ${rows.join(', ')}`);
});

const types = {
  postgres: ['integer', 'character varying(60)', 'timestamp without time zone'],
  mariadb: ['int(11)', 'varchar(60)', 'timestamp'],
  duckdb: ['INTEGER', 'VARCHAR', 'TIMESTAMP'],
} as const;

const profile = `profile { rowCount everyHours takenAt nextAt columns { title isPersonal nullPercentage distinctCount
  minimum maximum mean earliest latest averageLength topValues { value count } problem } }`;

/** A table of people in the catalog, whose addresses are personal, and a worker that profiles it. */
async function openPeople(catalog: Catalog, name: (typeof engineNames)[number], source: string) {
  const engine = engines.get(name);
  if (!engine) throw new Error(`${name} is not installed.`);
  const [number, text, time] = types[name];
  const columns = { id: number, email: text, city: text, age: number, born: time, note: text };
  const table = await tableOf(catalog, engine, source, 'people', columns);
  const { prisma } = catalog.database;
  const { workspaceId } = catalog;
  const personal = (isPersonal: boolean, column = 'email') =>
    prisma.resource.update({
      where: { workspaceId_id: { workspaceId, id: table.columns.get(column) ?? '' } },
      data: { pii: isPersonal },
    });
  await personal(true);
  const { database, surroundings } = catalog;
  const onError = (error: unknown) => console.error(error);
  const worker = startWorker({ database, surroundings, handlers, pollSeconds: 1, onError });
  return {
    id: table.id,
    personal,
    async take(args = '') {
      const ask = `mutation ($id: ID!) { profileTable(tableId: $id${args}) { id state } }`;
      const { data, errors } = await catalog.graphql(ask, { id: table.id });
      expect(errors).toBeUndefined();
      return ended(catalog.admin, data.profileTable);
    },
    async read(as: 'admin' | 'viewer' = 'admin') {
      const ask = `query ($id: ID!) { resource(id: $id) { ... on Table { ${profile} } } }`;
      const { data, errors } = await catalog.graphql(ask, { id: table.id }, { as });
      expect(errors).toBeUndefined();
      return data.resource?.profile ?? null;
    },
    async [Symbol.asyncDispose]() {
      await worker.stop();
    },
  };
}

describe.each(engineNames)('on %s', (name) => {
  test('a profile says of each column what suits it, and of a personal one no value', async ({
    skip,
  }) => {
    const engine = engines.get(name) ?? skip('It is not installed.');
    await using catalog = await openCatalog({ alone: true });
    const source = await engine.connect(catalog);
    await using people = await openPeople(catalog, name, source);
    expect(await people.read()).toBeNull();
    expect(await people.take()).toMatchObject({ state: 'succeeded' });
    const found = await people.read();
    const none = {
      ...{ isPersonal: false, problem: null, minimum: null, maximum: null, mean: null },
      ...{ earliest: null, latest: null, averageLength: null, topValues: [] },
    };
    expect(found).toMatchObject({ rowCount: 20, everyHours: null, nextAt: null });
    const byTitle = new Map(found.columns.map((one: { title: string }) => [one.title, one]));
    expect(byTitle.get('id')).toEqual({
      ...{ ...none, title: 'id', nullPercentage: 0, distinctCount: 20 },
      ...{ minimum: 0, maximum: 19, mean: 9.5 },
    });
    expect(byTitle.get('email')).toEqual({
      ...{ ...none, title: 'email', isPersonal: true, nullPercentage: 0, distinctCount: 1 },
    });
    expect(byTitle.get('city')).toEqual({
      ...{ ...none, title: 'city', nullPercentage: 0, distinctCount: 4 },
      averageLength: expect.any(Number),
      // A value that a few rows have could be that of one person.
      topValues: [
        { value: 'Köln', count: 12 },
        { value: "O'Fallon", count: 6 },
      ],
    });
    expect(byTitle.get('age')).toMatchObject({ nullPercentage: 25, minimum: 25, maximum: 39 });
    expect(byTitle.get('born')).toMatchObject({
      ...{ distinctCount: 20, minimum: null },
      ...{ earliest: '2010-01-01T00:00:00.000Z', latest: '2029-01-01T00:00:00.000Z' },
    });
    expect(byTitle.get('note')).toMatchObject({ nullPercentage: 100, distinctCount: 0 });

    // What becomes personal later shows no value either.
    await people.personal(true, 'city');
    const later = (await people.read()).columns.find(
      ({ title }: { title: string }) => title === 'city',
    );
    expect(later).toMatchObject({ isPersonal: true, topValues: [], distinctCount: 4 });
    const stored = await catalog.database.prisma.tableProfile.findFirst();
    expect(JSON.stringify(stored)).not.toContain(secret);
  }, 60_000);
});

test('rows are shown to the roles that an admin allows, without personal columns, and kept nowhere', async ({
  skip,
}) => {
  const engine = engines.get('postgres') ?? skip('It is not installed.');
  await using catalog = await openCatalog({ alone: true });
  const source = await engine.connect(catalog);
  await using people = await openPeople(catalog, 'postgres', source);
  const sample = async (as: 'admin' | 'editor', rows = 3) =>
    catalog.graphql(
      'mutation ($id: ID!, $rows: Int) { sampleTable(tableId: $id, rows: $rows) { columns rows personal } }',
      { id: people.id, rows },
      { as },
    );
  expect((await sample('admin')).errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  await updateIntegration(catalog.admin, source, { previewRoles: ['editor'] });
  expect((await sample('admin')).errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  const { data } = await sample('editor');
  expect(data.sampleTable.columns).toEqual(['age', 'born', 'city', 'id', 'note']);
  expect(data.sampleTable.personal).toEqual(['email']);
  expect(data.sampleTable.rows.length).toBe(3);
  expect(data.sampleTable.rows[0]).toEqual([
    null,
    expect.stringMatching(/^2010/),
    'Köln',
    '0',
    null,
  ]);
  expect((await sample('editor', 101)).errors?.[0]?.message).toMatch(/1 to 100/);
  const over = await catalog.rest('POST', `/table/tables/${people.id}/sample?rows=2`, {
    caller: { as: 'editor' },
  });
  expect(over).toMatchObject({ status: 200, body: { personal: ['email'] } });
  const { prisma } = catalog.database;
  const kept = [await prisma.auditLog.findMany(), await prisma.job.findMany()];
  const text = JSON.stringify(kept, (_key, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  expect(text).toContain('table_sampled');
  expect(text).not.toContain('Köln');
}, 60_000);

test('a profile is taken again by its schedule, once however many look, until that is ended', async ({
  skip,
}) => {
  const engine = engines.get('duckdb') ?? skip('It is not installed.');
  await using catalog = await openCatalog({ alone: true });
  const source = await engine.connect(catalog);
  await using people = await openPeople(catalog, 'duckdb', source);
  await people.take(', everyHours: 6');
  expect(await people.read()).toMatchObject({ everyHours: 6, nextAt: expect.any(String) });
  const { prisma } = catalog.database;
  await prisma.tableProfile.updateMany({ data: { nextRunAt: new Date('2024-01-01') } });
  const db = acrossWorkspaces(catalog.database);
  const before = await prisma.job.count({ where: { kind: 'tables.profile' } });
  await Promise.all([startDueProfiles(db), startDueProfiles(db)]);
  expect(await prisma.job.count({ where: { kind: 'tables.profile' } })).toBe(before + 1);
  const [kept] = await prisma.tableProfile.findMany();
  expect(kept?.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
  await people.take(', everyHours: 0');
  expect(await people.read()).toMatchObject({ everyHours: null, nextAt: null, rowCount: 20 });
}, 60_000);

test('a table of files cannot be profiled, and a table that is gone from its source fails the job', async ({
  skip,
}) => {
  const engine = engines.get('duckdb') ?? skip('It is not installed.');
  await using catalog = await openCatalog({ alone: true });
  const { id } = await catalog.resource({ title: 'of files' });
  const ask =
    'mutation ($id: ID!, $h: Int) { profileTable(tableId: $id, everyHours: $h) { id state } }';
  const { errors } = await catalog.graphql(ask, { id });
  expect(errors?.[0]).toMatchObject({
    message: expect.stringMatching(/no source that is connected to/),
    extensions: { code: 'BAD_REQUEST' },
  });
  const source = await engine.connect(catalog);
  await using people = await openPeople(catalog, 'duckdb', source);
  const wrong = await catalog.graphql(ask, { id: people.id, h: 745 });
  expect(wrong.errors?.[0]?.message).toMatch(/0 to 744/);
  await catalog.database.prisma.resource.updateMany({
    where: { id: people.id },
    data: { title: 'gone' },
  });
  expect(await people.take()).toMatchObject({ state: 'failed' });
  expect(await people.read()).toBeNull();
}, 60_000);
