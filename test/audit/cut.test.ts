// The audit log is cut: what is old goes into an archive that verifies, and what is kept follows on it.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentHash, linkForm, linkHash } from '../../src/audit/chain.ts';
import { exportLog } from '../../src/audit/export.ts';
import { verifyExport } from '../../src/audit/exported.ts';
import { linesOf } from '../../src/audit/exported-lines.ts';
import { keptAudit } from '../../src/audit/forget.ts';
import { sealWhatIsDue } from '../../src/audit/seal.ts';
import { acrossWorkspaces } from '../../src/database/outside.ts';
import type { Catalog } from '../catalog.ts';
import { openLog, tamper, verify } from './sealed-log.ts';

const day = 86_400_000;

/** A folder for archives, gone with the test. */
function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-archive-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Make the chain as if links up to a position had been made some days ago; the hash of the last of them. */
async function age(catalog: Catalog, upTo: number, days: number): Promise<string> {
  const { rows: entries } = await catalog.owner.query<{
    position: number;
    content: string;
    sealedAt: Date;
  }>(
    `select s.position, ${contentHash.sql} as content, s.sealed_at as "sealedAt" from audit_log a
      join audit_seal s using (workspace_id, sequence) where workspace_id = $1 order by 1`,
    [catalog.workspaceId],
  );
  let previous = catalog.workspaceId;
  let head = '';
  const links = entries.map(({ position, content, sealedAt }) => {
    const at = position <= upTo ? new Date(sealedAt.getTime() - days * day) : sealedAt;
    previous = linkHash({ form: linkForm, position, previous, content, sealedAt: at });
    if (position === upTo) head = previous;
    return `update audit_seal set hash = '${previous}', sealed_at = '${at.toISOString()}'
      where workspace_id = '${catalog.workspaceId}' and position = ${position}`;
  });
  await tamper(catalog, ...links);
  return head;
}

const chainOf = async (catalog: Catalog, ...heads: string[]) => {
  const { chains, ...found } = await verify(catalog.database, ...heads);
  const [{ cut, sealed, unsealed } = { cut: 0, sealed: 0, unsealed: 0 }] = chains;
  return { ...found, cut, sealed, unsealed };
};
const whole = { brokenCount: 0, broken: [], missing: [] };

test('old entries move into an archive, and both verify by the link between them', async () => {
  await using catalog = await openLog();
  using place = openFolder();
  const db = acrossWorkspaces(catalog.database);
  const head = await age(catalog, 3, 10);
  const kept = keptAudit({ folder: place.folder, streams: false });
  expect(await kept.count(db, 11)).toBe(0);
  expect(await kept.count(db, 5)).toBe(3);
  expect(await kept.forget(db, 11)).toBe(0);
  expect(readdirSync(place.folder)).toEqual([]);
  expect(await kept.forget(db, 5)).toBe(3);
  const file = `audit-${catalog.workspaceId}-1-3.ndjson.gz`;
  expect(readdirSync(place.folder)).toEqual([file]);
  expect(await verifyExport(linesOf(join(place.folder, file)), [head])).toMatchObject({
    ...{ brokenCount: 0, missing: [], chains: [{ from: 1, to: 3, head }] },
  });
  expect(await chainOf(catalog, head)).toEqual({ ...whole, cut: 3, sealed: 2, unsealed: 1 });
  // The entry that says so is sealed like all others, and what is written goes on.
  await catalog.tag({ name: 'six' });
  await sealWhatIsDue(catalog.database);
  expect(await chainOf(catalog, head)).toEqual({ ...whole, cut: 3, sealed: 4, unsealed: 0 });
  let exported = '';
  for await (const lines of exportLog(catalog.admin, 0)) exported += lines;
  const [first = ''] = exported.split('\n');
  expect(JSON.parse(first)).toMatchObject({ position: 4, seal: { previous: head } });
  expect(await kept.forget(db, 5)).toBe(0);
});

test('a log that is not as it was sealed is not cut', async () => {
  await using catalog = await openLog();
  using place = openFolder();
  await age(catalog, 3, 10);
  await tamper(catalog, `update audit_log set performer_type = 'SYSTEM' where sequence = 2`);
  const kept = keptAudit({ folder: place.folder, streams: false });
  await expect(kept.forget(acrossWorkspaces(catalog.database), 5)).rejects.toThrow(
    /is not cut: entry 2 was changed after it was sealed/,
  );
  const { rows } = await catalog.owner.query('select from audit_log');
  expect(rows).toHaveLength(5);
});

test('the last link stays, and with a stream what was not sent yet', async () => {
  await using catalog = await openLog();
  using place = openFolder();
  const db = acrossWorkspaces(catalog.database);
  await age(catalog, 5, 10);
  const streamed = keptAudit({ folder: place.folder, streams: true });
  expect(await streamed.count(db, 5)).toBe(0);
  await catalog.owner.query('insert into audit_sent (workspace_id, position) values ($1, 2)', [
    catalog.workspaceId,
  ]);
  expect(await streamed.count(db, 5)).toBe(2);
  expect(await keptAudit({ folder: place.folder, streams: false }).forget(db, 5)).toBe(4);
  expect(await chainOf(catalog)).toMatchObject({ brokenCount: 0, cut: 4, sealed: 1 });
});

test('a cut that the log says nothing of is reported, and a young link is refused', async () => {
  await using catalog = await openLog();
  await age(catalog, 3, 10);
  const cut = (position: number) =>
    catalog.owner.query(
      `insert into audit_cut (workspace_id, position) values ($1, $2)
        on conflict (workspace_id) do update set position = excluded.position`,
      [catalog.workspaceId, position],
    );
  await expect(cut(4)).rejects.toThrow('older than a day');
  await expect(catalog.owner.query('delete from audit_log where sequence = 1')).rejects.toThrow(
    'is refused',
  );
  await cut(2);
  await expect(cut(1)).rejects.toThrow('not taken back');
  await expect(catalog.owner.query('delete from audit_log where sequence = 3')).rejects.toThrow(
    'is refused',
  );
  await catalog.owner.query('delete from audit_log where sequence <= 2');
  expect(await chainOf(catalog)).toMatchObject({
    brokenCount: 1,
    broken: [{ sequence: 2, how: 'removed with its seal' }],
  });
});
