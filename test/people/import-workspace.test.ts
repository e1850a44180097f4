// A workspace from a file, next to others: whole, as it was sealed, or not at all.

import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { sealWhatIsDue } from '../../src/audit/seal.ts';
import { pepperSetting } from '../../src/auth/authentication.ts';
import { backUp } from '../../src/database/backups/backup.ts';
import { openBackup } from '../../src/database/backups/restore.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { deleteWorkspace } from '../../src/people/workspaces/delete-workspace.ts';
import {
  type ImportWorkspaceOptions,
  importWorkspace,
} from '../../src/people/workspaces/import-workspace.ts';
import { openLog, tamper, verify } from '../audit/sealed-log.ts';
import type { Catalog } from '../catalog.ts';
import { backUpToMemory, makeDatabase } from '../database/backups/databases.ts';

/** The file of one workspace of a catalog. */
async function exported({ url, workspaceId }: Catalog): Promise<Buffer> {
  let file = Buffer.alloc(0);
  await backUp(url, {
    one: { choose: () => workspaceId, without: [pepperSetting] },
    async save(bytes) {
      file = await buffer(bytes);
    },
  });
  return file;
}

async function imported(database: Database, file: Buffer, options?: ImportWorkspaceOptions) {
  async function* pieces() {
    yield file;
  }
  await using backup = await openBackup(pieces());
  return await importWorkspace(database, backup, options);
}

test('a log comes in next to one with the same numbers, and both go on', async () => {
  await using here = await openLog();
  await using there = await openLog();
  await there.tag({ name: 'not sealed yet' });
  const parent = await there.resource({ kind: 'table', title: 'parent' });
  await there.resource({ kind: 'column', title: 'child', parentId: parent.id });
  const content = Buffer.alloc(2_000_000, 'of\0any\\bytes\n\xff', 'latin1');
  const [workspaceId, authorId] = [there.workspaceId, there.idOf('admin')];
  await there.database.prisma.image.create({
    data: { workspaceId, authorId, mediaType: 'image/png', size: content.byteLength, content },
  });
  const file = await exported(there);
  const refused = imported(here.database, file);
  await expect(refused).rejects.toThrow('There is a workspace Test already: choose another name.');
  await expect(imported(here.database, file, { name: ' ' })).rejects.toThrow('1 to 200 characters');
  const { id, name, sealed, head } = await imported(here.database, file, { name: 'Given back' });
  const { chains } = await verify(there.database);
  expect({ id, name, sealed, head }).toEqual({
    ...{ id: there.workspaceId, name: 'Given back', sealed: 5, head: chains[0]?.head },
  });
  await here.tag({ name: 'six' });
  await sealWhatIsDue(here.database);
  const found = await verify(here.database, head ?? '');
  expect(found).toMatchObject({ brokenCount: 0, missing: [] });
  expect(
    Object.fromEntries(found.chains.map((one) => [one.workspace, [one.sealed, one.unsealed]])),
  ).toEqual({ Test: [6, 0], 'Given back': [expect.any(Number), 0] });
  const { rows: children } = await here.owner.query(
    `select p.title from resource c join resource p on p.workspace_id = c.workspace_id and p.id = c.parent_id
      where c.workspace_id = $1`,
    [id],
  );
  expect(children).toEqual([{ title: 'parent' }]);
  const { rows: images } = await here.owner.query<{ content: Buffer }>(
    'select content from image where workspace_id = $1',
    [id],
  );
  expect(images.map((one) => one.content.equals(content))).toEqual([true]);
  const { rows: found2 } = await here.owner.query(
    'select from search_document where workspace_id = $1',
    [id],
  );
  expect(found2.length).toBeGreaterThan(0);
});

test('it can be deleted and taken in again and again, and what others have stays', async () => {
  await using catalog = await openLog();
  const other = await catalog.another();
  await other.tag({ name: 'of another' });
  for (let turn = 0; turn < 3; turn += 1) {
    const file = await exported(other);
    await deleteWorkspace(catalog.database, other.workspaceId);
    const name = `Turn ${turn}`;
    const found = await imported(catalog.database, file, { name });
    expect(found).toMatchObject({ id: other.workspaceId, name });
    await expect(imported(catalog.database, file)).rejects.toThrow('is here already');
    await other.tag({ name: `turn ${turn}` });
    await sealWhatIsDue(catalog.database);
  }
  const { chains, brokenCount } = await verify(catalog.database);
  expect(brokenCount).toBe(0);
  expect(chains.map(({ sealed, unsealed }) => [sealed, unsealed])).toEqual([
    [5, 0],
    [7, 0],
  ]);
});

test('a log that is not as it was sealed is refused, and nothing of it stays', async () => {
  await using here = await openLog();
  await using there = await openLog();
  await tamper(there, `update audit_log set performer_type = 'SYSTEM' where sequence = 3`);
  const file = await exported(there);
  await expect(imported(here.database, file, { name: 'Other' })).rejects.toThrow(
    /not as it was sealed: entry 3 \([0-9a-f-]{36}\) was changed\. Nothing was changed/,
  );
  const broken = Buffer.from(file);
  const middle = Math.floor(broken.length / 2);
  broken[middle] = 255 - (broken[middle] ?? 0);
  await expect(imported(here.database, broken)).rejects.toThrow(/damaged/);
  const { rows } = await here.owner.query('select name from workspace');
  expect(rows).toEqual([{ name: 'Test' }]);
  const { rows: entries } = await here.owner.query(
    'select from audit_log where workspace_id = $1',
    [there.workspaceId],
  );
  expect(entries).toEqual([]);
});

test('a file of several workspaces, and one for a database without tables, are refused with what to do', async () => {
  await using catalog = await openLog();
  await catalog.another();
  const { file } = await backUpToMemory(catalog.url);
  await expect(imported(catalog.database, file)).rejects.toThrow(
    /^The file holds 2 workspaces: restore it into an empty database/,
  );
  await using target = await makeDatabase();
  const empty = await openDatabase({
    databaseUrl: target.url,
    maxConnections: 2,
    migrations: null,
  });
  await expect(imported(empty, await exported(catalog))).rejects.toThrow(
    'put the file there with npm run restore',
  );
  await empty.close();
});
