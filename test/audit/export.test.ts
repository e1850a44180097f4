// The audit log as lines: what an export holds, how it goes on, and that it can be verified without the database.

import { expect, test } from 'vitest';
import { type ExportVerification, verifyExport } from '../../src/audit/exported.ts';
import { sealWhatIsDue } from '../../src/audit/seal.ts';
import { updateUser } from '../../src/people/user.ts';
import type { Catalog } from '../catalog.ts';
import { openLog, tamper, verify } from './sealed-log.ts';

const path = '/activity_log/audit_logs/export';

async function exported(catalog: Catalog, query = ''): Promise<string[]> {
  const base = await catalog.listen();
  const response = await fetch(`${base}/api/v1${path}${query}`, {
    headers: { authorization: `Bearer ${catalog.keyOf('admin')}` },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/x-ndjson',
  ]);
  const text = await response.text();
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text.split('\n').slice(0, -1);
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

const check = (lines: readonly string[], ...heads: string[]): Promise<ExportVerification> =>
  verifyExport(each(lines), heads);

/** Entries as another program may write them, with values that JavaScript writes in another way. */
async function addOdd(catalog: Catalog, count = 1, padding = ''): Promise<void> {
  await catalog.owner.query(
    `insert into audit_log (workspace_id, activity_type, performer_type, changes, event_blocks)
      select $1, 'tag_created', 'API', $2::jsonb, jsonb_build_array($3::text) from generate_series(1, $4)`,
    [
      catalog.workspaceId,
      '[{"field":"x","before":1.0,"after":123456789012345678901.50},{"a":{"bb":1e-7,"c":[]},"\\"}{,:":"\\\\ \\u2028é😀"}]',
      padding,
      count,
    ],
  );
}

test('an export holds every sealed entry with its link, and is verified without the database', async () => {
  await using catalog = await openLog();
  await addOdd(catalog);
  expect(await sealWhatIsDue(catalog.database)).toBe(1);
  await catalog.tag({ name: 'not sealed yet' });
  const lines = await exported(catalog);
  expect(lines).toHaveLength(6);
  const first = JSON.parse(lines[0] ?? '');
  expect(first).toMatchObject({
    ...{ position: 1, workspace_id: catalog.workspaceId },
    entry: {
      ...{
        activity_type: 'tag_created',
        performer_id: catalog.idOf('admin'),
        credential: 'SERVER',
      },
      event_blocks: [{ value: 'admin Example created the tag one' }],
      logged_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    },
    seal: { form: 3, previous: catalog.workspaceId },
  });
  const [chain] = (await verify(catalog.database)).chains;
  const head = chain?.head ?? '';
  expect(await check(lines, head)).toEqual({
    ...{ brokenCount: 0, first: null, missing: [] },
    chains: [
      {
        ...{ workspaceId: catalog.workspaceId, from: 1, previous: catalog.workspaceId },
        ...{ to: 6, head },
      },
    ],
  });
  expect(await check(lines.slice(0, 5), head)).toMatchObject({ missing: [head] });
});

test('it goes on after a position, and such parts are verified alone and together', async () => {
  await using catalog = await openLog();
  const lines = await exported(catalog);
  const rest = await exported(catalog, '?after=3');
  expect(rest).toEqual(lines.slice(3));
  expect(await exported(catalog, '?after=5')).toEqual([]);
  await catalog.tag({ name: 'six' });
  await sealWhatIsDue(catalog.database);
  const later = await exported(catalog, '?after=5');
  const head = (await check(lines)).chains[0]?.head ?? '';
  expect(await check(later, head)).toMatchObject({
    ...{ brokenCount: 0, missing: [], chains: [{ from: 6, to: 6, previous: head }] },
  });
  // As a stream that began again sends them.
  const twice = [...lines, ...rest, ...later];
  expect(await check(twice)).toMatchObject({ brokenCount: 0, chains: [{ from: 1, to: 6 }] });
});

test('each value of a line that is another one is noticed', async () => {
  await using catalog = await openLog();
  const lines = await exported(catalog);
  const line = JSON.parse(lines[2] ?? '');
  const changed = (value: unknown): unknown => {
    if (typeof value === 'number') return value + 1;
    if (typeof value === 'boolean') return !value;
    if (Array.isArray(value)) return [...value, 'x'];
    if (typeof value === 'object' && value !== null) return { ...value, x: 1 };
    return typeof value === 'string'
      ? value.replace(/.$/, (last) => (last === '1' ? '2' : '1'))
      : 'x';
  };
  const names = Object.keys(line.entry);
  expect(names.length).toBeGreaterThan(24);
  const others = [
    ...names.map((name) => ({
      ...line,
      entry: { ...line.entry, [name]: changed(line.entry[name]) },
    })),
    { ...line, position: 9 },
    { ...line, entry: null },
    { ...line, seal: { ...line.seal, previous: changed(line.seal.previous) } },
    { ...line, seal: { ...line.seal, hash: changed(line.seal.hash) } },
    { ...line, seal: { ...line.seal, form: 2 } },
    { ...line, seal: { ...line.seal, sealed_at: '2026-01-01T00:00:00Z' } },
    { ...line, seal: { ...line.seal, sealed_at: 'never' } },
  ];
  // Written as PostgreSQL writes it, a line that was not changed is the same one.
  const again = (value: object) =>
    JSON.stringify(value, null, 1)
      .replaceAll(/\n */g, ' ')
      .replaceAll(/([[{]) | ([\]}])/g, '$1$2');
  expect(await check(lines.with(2, again(line)))).toMatchObject({ brokenCount: 0 });
  for (const other of others) {
    const found = await check(lines.with(2, again(other)));
    expect([other, found.first?.line]).toEqual([other, 3]);
  }
});

test('a line that is left out, put elsewhere or comes as another one is noticed', async () => {
  await using catalog = await openLog();
  const lines = await exported(catalog);
  const [one = '', two = '', three = ''] = lines;
  const found = async (given: readonly string[]) => (await check(given)).first;
  expect(await found([one, three])).toMatchObject({ line: 2, position: 3 });
  expect(await found([two, one])).toMatchObject({ line: 2, position: 1 });
  await expect(check([one, '{"position": 2}'])).rejects.toThrow('Line 2 is not part of an export');
  await expect(check(['[]'])).rejects.toThrow('Line 1 is not part of an export');
  const newer = one.replace('"form": 3', '"form": 4');
  await expect(check([newer])).rejects.toThrow('which a newer version made');
  // What was taken out of the log before the export shows in it.
  await tamper(catalog, 'delete from audit_log where sequence = 2');
  expect(await found(await exported(catalog))).toMatchObject({
    ...{ line: 2, position: 2, how: 'was removed before the export' },
  });
  await tamper(catalog, 'delete from audit_seal where sequence = 2');
  expect(await found(await exported(catalog))).toMatchObject({ line: 2, position: 3 });
});

test('only admins have it, of their workspace, after a position that there can be', async () => {
  await using catalog = await openLog();
  const other = await catalog.another();
  for (const [caller, status] of [
    [{ key: null }, 401],
    [{ as: 'editor' }, 403],
    [{ as: 'viewer' }, 403],
    [{ as: 'guest' }, 403],
  ] as const) {
    expect((await catalog.rest('GET', path, { caller })).status).toBe(status);
  }
  const theirs = await other.rest('GET', path);
  expect([theirs.status, theirs.text]).toEqual([200, '']);
  for (const after of ['-1', 'x', '2147483648', '1.5']) {
    const refused = await catalog.rest('GET', `${path}?after=${after}`);
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ field: 'after' }]]);
  }
  const head = await catalog.rest('HEAD', path);
  expect([head.status, head.text]).toEqual([200, '']);
});

test('it is read as slowly as its client takes it, and ends when that goes or may no longer have it', async () => {
  await using catalog = await openLog();
  const { database } = catalog;
  await addOdd(catalog, 4_000, 'x'.repeat(8_000));
  for (let sealed = 1; sealed > 0; ) sealed = await sealWhatIsDue(database);
  const base = await catalog.listen();
  let pages = 0;
  database.onStatement((text) => {
    if (text.includes('from audit_seal s')) pages += 1;
  });
  const begin = async () => {
    const leaving = new AbortController();
    const { body } = await fetch(`${base}/api/v1${path}`, {
      headers: { authorization: `Bearer ${catalog.keyOf('admin')}` },
      signal: leaving.signal,
    });
    const reader = body?.getReader();
    await reader?.read();
    return { leaving, reader };
  };
  /** How many pages were read when no more are. */
  const rest = async () => {
    let before = -1;
    while (before !== pages) {
      before = pages;
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    return pages;
  };
  // Eight at once are the most of a key: more than that follow each other because those before have left.
  for (let turn = 0; turn < 12; turn += 1) {
    const { leaving } = await begin();
    if (turn === 0) expect(await rest()).toBeLessThan(15);
    leaving.abort();
  }
  await rest();
  const { reader } = await begin();
  await rest();
  await updateUser(catalog.admin, catalog.idOf('editor'), { role: 'admin' });
  await updateUser(catalog.admin, catalog.idOf('admin'), { role: 'viewer' });
  const readAll = async () => {
    let bytes = 0;
    for (;;) {
      const next = await reader?.read();
      if (!next || next.done) return bytes;
      bytes += next.value.byteLength;
    }
  };
  await expect(readAll()).rejects.toThrow(/terminated/);
});
