// Cuts the audit log: what is older than the operator's setting goes into an archive that verifies, and then away.

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { serverViewer } from '../auth/viewer.ts';
import { contextFor } from '../context.ts';
import { saveAs } from '../database/backups/atomic-file.ts';
import { type Connection, execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { record } from './audit.ts';
import { readSealed } from './export.ts';
import { verifyExport } from './exported.ts';
import { linesOf } from './exported-lines.ts';

/** How the log is cut. */
export interface CutOptions {
  /** The folder that archives are written to, made where it is missing. */
  readonly folder: string;
  /** Whether entries are kept until they were streamed as well. */
  readonly streams: boolean;
}

/** Entries of a file, and rows that one statement deletes: no one waits longer for it than for an edit. */
const mostOfFile = 100_000;
const batch = 1_000;

/** The links between which the entries of a workspace are to go. */
interface Cut {
  readonly workspaceId: string;
  /** Position of the last entry that went before; 0 for none. */
  readonly from: number;
  readonly to: number;
  /** Hash of the link at `to`. */
  readonly head: string;
}

/**
 * What is to be cut, of all workspaces or of one. The last link stays, so that the next one follows on it; at most so
 * many entries of a workspace, with those that are left for the next file.
 */
async function findCuts(
  db: Connection,
  days: number,
  { streams }: Pick<CutOptions, 'streams'>,
  most: number,
): Promise<Cut[]> {
  const sent = streams ? Prisma.sql`coalesce(x.position, 0)` : Prisma.sql`h.position`;
  return rows<Cut>(
    db,
    Prisma.sql`select w.id as "workspaceId", coalesce(c.position, 0) as "from", e.position as "to", e.hash as head
      from workspace w
        left join audit_cut c on c.workspace_id = w.id
        left join audit_sent x on x.workspace_id = w.id
        cross join lateral (select s.position from audit_seal s where s.workspace_id = w.id
          order by s.position desc limit 1) h
        cross join lateral (select s.position from audit_seal s where s.workspace_id = w.id
          and s.sealed_at < now() - make_interval(days => ${days}) order by s.position desc limit 1) o
        join audit_seal e on e.workspace_id = w.id
          and e.position = least(o.position, h.position - 1, ${sent}, coalesce(c.position, 0) + ${most}::int)
      where e.position > coalesce(c.position, 0)
      order by w.created_at, w.id`,
  );
}

/** Entries of the audit log that are older than some days. */
export function keptAudit(options: CutOptions) {
  return {
    what: 'entries of the audit log, which go into the archive',
    async count(db: Connection, days: number): Promise<number> {
      const cuts = await findCuts(db, days, options, 2_000_000_000);
      return cuts.reduce((sum, { from, to }) => sum + to - from, 0);
    },
    async forget(db: Connection, days: number): Promise<number> {
      // What a process that was killed has left to be deleted.
      let deleted = await deleteCut(db);
      for (let cuts = await findCuts(db, days, options, mostOfFile); cuts.length > 0; ) {
        for (const cut of cuts) await cutLog(db, cut, options.folder);
        deleted += await deleteCut(db);
        cuts = await findCuts(db, days, options, mostOfFile);
      }
      return deleted;
    },
  };
}

/** Write the archive, read it again, and note that what is in it may be deleted. Throws where it does not verify. */
async function cutLog(db: Connection, cut: Cut, folder: string): Promise<void> {
  const { workspaceId, from, to, head } = cut;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = resolve(join(folder, `audit-${workspaceId}-${from + 1}-${to}.ndjson.gz`));
  const bytes = pipeline(Readable.from(linesUpTo(db, cut)), createGzip(), () => {});
  await saveAs(path, bytes, true);
  const { chains, brokenCount, first } = await verifyExport(linesOf(path), [head]);
  const [chain] = chains;
  if (brokenCount > 0 || chain?.from !== from + 1 || chain.to !== to || chain.head !== head) {
    const where = first ? `entry ${first.position} ${first.how}` : 'it is not complete';
    throw new Error(
      `The audit log of the workspace ${workspaceId} is not cut: ${where}. See npm run audit:verify, and ${path}.`,
    );
  }
  const viewer = serverViewer(workspaceId);
  await transaction(contextFor(db.database, viewer), async (tx) => {
    const moved = await execute(
      tx,
      Prisma.sql`insert into audit_cut as c (workspace_id, position) values (${workspaceId}::uuid, ${to}::int)
        on conflict (workspace_id) do update set position = excluded.position, cut_at = now()
          where c.position = ${from}::int`,
    );
    // Another process has cut it in the meantime.
    if (moved === 0) return;
    await record(tx, {
      activity: 'audit_log_cut',
      says: `Headwater moved entries ${from + 1} to ${to} of the audit log to ${path}`,
      changes: [
        { field: 'position', before: from, after: to, note: null },
        { field: 'head', before: null, after: head, note: null },
      ],
    });
  });
}

async function* linesUpTo(db: Connection, { workspaceId, from, to }: Cut): AsyncGenerator<string> {
  for (let position = from; position < to; ) {
    const page = await readSealed(db, workspaceId, position);
    const last = page.at(-1);
    if (!last) return;
    for (const one of page) if (one.position <= to) yield `${one.line}\n`;
    position = last.position;
  }
}

/** Delete entries up to the cuts, and the links before them, some at a time; how many entries. */
async function deleteCut(db: Connection): Promise<number> {
  const cuts = await rows<{ workspaceId: string; sequence: number }>(
    db,
    Prisma.sql`select c.workspace_id as "workspaceId", s.sequence from audit_cut c
      join audit_seal s on s.workspace_id = c.workspace_id and s.position = c.position`,
  );
  let deleted = 0;
  for (const { workspaceId, sequence } of cuts) {
    deleted += await deleteRows(db, 'audit_log', workspaceId, sequence);
    await deleteRows(db, 'audit_seal', workspaceId, sequence - 1);
  }
  return deleted;
}

async function deleteRows(
  db: Connection,
  table: 'audit_log' | 'audit_seal',
  workspaceId: string,
  upTo: number,
): Promise<number> {
  const from = Prisma.raw(table);
  for (let deleted = 0; ; ) {
    const some = await execute(
      db,
      Prisma.sql`delete from ${from} where ctid = any(array(select ctid from ${from}
        where workspace_id = ${workspaceId}::uuid and sequence <= ${upTo}::bigint
        order by sequence limit ${batch}))`,
    );
    deleted += some;
    if (some < batch) return deleted;
  }
}
