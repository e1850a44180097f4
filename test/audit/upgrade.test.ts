// A log that an older version wrote: its entries are numbered by their time, and sealed like all others.

import { expect, test } from 'vitest';
import { record } from '../../src/audit/audit.ts';
import { sealWhatIsDue } from '../../src/audit/seal.ts';
import { verifyLog } from '../../src/audit/verify.ts';
import { serverViewer } from '../../src/auth/viewer.ts';
import { contextFor } from '../../src/context.ts';
import { openDatabase } from '../../src/database/open.ts';
import { rows } from '../../src/database/rows.ts';
import { makeDatabase } from '../database/backups/databases.ts';
import { migrationsBefore } from '../database/migrations/older.ts';
import { seeingAll } from '../database.ts';
import { onServer } from '../server.ts';

/** The migration that numbers entries. */
const numbering = '20261122130200_audit_trail';

test('entries of an older version are numbered by their time, sealed, and kept', async () => {
  using older = migrationsBefore(numbering);
  await using target = await makeDatabase(older.folder);
  const [workspace] = await onServer<{ id: string }>(
    target.url,
    `with made as (insert into workspace (name) values ('Old') returning id)
      insert into audit_log (workspace_id, activity_type, performer_type, created_at)
      select id, 'tag_' || day, 'API', now() - make_interval(days => day)
      from made, unnest(array[1, 3, 2]) day returning workspace_id as id`,
  );
  const database = await seeingAll(
    await openDatabase({ databaseUrl: target.url, maxConnections: 2 }),
  );
  try {
    const ctx = contextFor(database, serverViewer(workspace?.id ?? ''));
    await record(ctx, { activity: 'tag_created', says: 'new' });
    const entries = await database.prisma.auditLog.findMany({ orderBy: { sequence: 'asc' } });
    expect(entries.map(({ sequence, activityType }) => [Number(sequence), activityType])).toEqual([
      [1, 'tag_3'],
      [2, 'tag_2'],
      [3, 'tag_1'],
      [4, 'tag_created'],
    ]);
    expect(entries[0]).toMatchObject({ changes: [], requestId: null, keyId: null });
    expect(await sealWhatIsDue(database)).toBe(4);
    expect(await verifyLog(ctx)).toMatchObject({ brokenCount: 0, chains: [{ sealed: 4 }] });
    const cleared = rows(ctx, `delete from audit_log where activity_type = 'tag_1'`);
    await expect(cleared).rejects.toThrow(/is refused/);
  } finally {
    await database.close();
  }
});
