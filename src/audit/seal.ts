// Seals the audit log: entries become links of a chain, some time after they were committed.

import { contextAcross } from '../context.ts';
import { type Database, ofDatabase } from '../database/database.ts';
import { acrossWorkspaces } from '../database/outside.ts';
import { type Connection, execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { contentHash, lastNumber, linkForm, linkHash, numbers, rootOf, sealLock } from './chain.ts';

/** How often a process looks for entries that are not sealed yet. */
const everyMs = 5_000;
/** Entries that one transaction seals, of how many workspaces, and transactions that one look makes. */
const batch = 1_000;
const maxWorkspaces = 100;
const maxBatches = 4;

/**
 * Entries up to a number, and the transactions that may have written one of them and were not over then:
 * when none of those runs any more, it is known for each number whether it has an entry.
 */
interface Horizon {
  readonly upTo: number;
  readonly writers: readonly string[];
}

/** What a process knows of the log of a database. */
interface Progress {
  nextLookAt: number;
  horizon: Horizon | null;
  /** Number up to which there is nothing left to seal. */
  sealedTo: number;
}

const progressOf = ofDatabase((): Progress => ({ nextLookAt: 0, horizon: null, sealedTo: 0 }));

/** Every worker calls it; of several that would seal the entries of a workspace at once one does. */
export const sealSchedule = {
  async tick(db: Connection): Promise<null> {
    const progress = progressOf(db.database);
    const now = performance.now();
    if (now < progress.nextLookAt) return null;
    progress.nextLookAt = now + everyMs;
    await sealWhatIsDue(db.database);
    return null;
  },
};

/**
 * Seal the entries that were committed, as far as no one can still add one before them. Where a transaction
 * that may have written one is still running, they wait for the next call. Answers how many were sealed.
 */
export async function sealWhatIsDue(database: Database): Promise<number> {
  const db = acrossWorkspaces(database);
  const progress = progressOf(database);
  progress.horizon ??= await findHorizon(db, progress.sealedTo);
  const { horizon } = progress;
  if (horizon === null || !(await isPassed(db, horizon))) return 0;
  let sealed = 0;
  let due: readonly string[] = [];
  for (let round = 0; round < maxBatches; round += 1) {
    if (due.length === 0) due = await findDue(db, horizon.upTo);
    if (due.length === 0) {
      progress.sealedTo = horizon.upTo;
      progress.horizon = null;
      return sealed;
    }
    const count = await sealBatch(database, due, horizon.upTo);
    // Others seal all of them.
    if (count === null) return sealed;
    sealed += count;
    // Less than a whole batch was all that they had.
    if (count < batch) due = [];
  }
  // There may be more.
  progress.nextLookAt = 0;
  return sealed;
}

/** A horizon past all entries of this moment; null where there are none behind `sealedTo`. */
async function findHorizon(db: Connection, sealedTo: number): Promise<Horizon | null> {
  const [last] = await rows<{ upTo: number }>(
    db,
    Prisma.sql`select ${lastNumber} as "upTo" from ${numbers}`,
  );
  if (!last || last.upTo <= sealedTo) return null;
  // In a statement that comes after: who got a number before it has ended by now, or is found here.
  const found = await rows<{ writer: string }>(db, Prisma.sql`select ${writers}`);
  return { upTo: last.upTo, writers: found.map(({ writer }) => writer) };
}

/**
 * The transactions that are writing to the log: who inserts locks the table before its entry has a number,
 * keeps that lock to the end of the transaction, and lets go of it when the entry can be seen.
 */
const writers = Prisma.sql`l.virtualtransaction as writer from pg_locks l
  where l.locktype = 'relation' and l.relation = 'audit_log'::regclass
    and l.database = (select d.oid from pg_database d where d.datname = current_database())
    and l.mode = 'RowExclusiveLock' and l.granted`;

/** Whether all are over who could still write an entry before the horizon. */
async function isPassed(db: Connection, horizon: Horizon): Promise<boolean> {
  if (horizon.writers.length === 0) return true;
  const still = await rows(
    db,
    Prisma.sql`select ${writers} and l.virtualtransaction = any(${horizon.writers}::text[]) limit 1`,
  );
  return still.length === 0;
}

/** Some workspaces, in any order, that have entries to be sealed; none where all is sealed. */
async function findDue(db: Connection, upTo: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    Prisma.sql`select w.id from workspace w where exists (select from audit_log a
        where a.workspace_id = w.id and a.sequence <= ${upTo}::bigint and a.sequence > ${sealedTo('w.id')})
      order by random() limit ${maxWorkspaces}`,
  );
  return found.map(({ id }) => id);
}

interface Unsealed {
  readonly sequence: number;
  readonly workspaceId: string;
  readonly id: string;
  readonly content: string;
}

interface Link {
  readonly position: number;
  readonly hash: string;
}

/**
 * Seal the next entries of those workspaces that no one else seals, the first ones of each first; answers how many, or
 * null where others seal all of them.
 */
async function sealBatch(
  database: Database,
  due: readonly string[],
  upTo: number,
): Promise<number | null> {
  return transaction(contextAcross(database), async (tx) => {
    const turns = await rows<{ id: string; mine: boolean; sealedAt: Date }>(
      tx,
      Prisma.sql`select w.id, pg_try_advisory_xact_lock(${sealLock}, hashtext(w.id::text)) as mine, now() as "sealedAt"
        from unnest(${[...due]}::uuid[]) w(id)`,
    );
    const ours = turns.filter(({ mine }) => mine);
    const [first] = ours;
    if (!first) return null;
    const { sealedAt } = first;
    // In a statement that comes after the locks, and sees what others have sealed before.
    const entries = await rows<Unsealed>(
      tx,
      Prisma.sql`select n.sequence, a.workspace_id as "workspaceId", a.id, ${contentHash} as content
        from (select w.id, e.* from unnest(${ours.map(({ id }) => id)}::uuid[]) w(id) cross join lateral (
            select a.sequence, row_number() over (order by a.sequence) as turn from audit_log a
            where a.workspace_id = w.id and a.sequence <= ${upTo}::bigint and a.sequence > ${sealedTo('w.id')}
            order by a.sequence limit ${batch}) e
          order by e.turn limit ${batch}) n
        join audit_log a on a.workspace_id = n.id and a.sequence = n.sequence
        order by n.sequence`,
    );
    if (entries.length === 0) return 0;
    const heads = await headsOf(tx, [...new Set(entries.map(({ workspaceId }) => workspaceId))]);
    const links = entries.map(({ workspaceId, content }): Link => {
      const head = heads.get(workspaceId) ?? { position: 0, hash: rootOf(workspaceId) };
      const position = head.position + 1;
      const parts = { form: linkForm, position, previous: head.hash, content, sealedAt };
      const link = { position, hash: linkHash(parts) };
      heads.set(workspaceId, link);
      return link;
    });
    await execute(
      tx,
      Prisma.sql`insert into audit_seal
          (workspace_id, sequence, position, entry_id, hash, sealed_at, form)
        select l.*, ${sealedAt.toISOString()}::timestamptz, ${linkForm}::smallint from unnest(${entries.map(({ workspaceId }) => workspaceId)}::uuid[],
          ${entries.map(({ sequence }) => sequence)}::bigint[],
          ${links.map(({ position }) => position)}::int[],
          ${entries.map(({ id }) => id)}::uuid[], ${links.map(({ hash }) => hash)}::text[]) l`,
    );
    return entries.length;
  });
}

/** The last links of workspaces. */
async function headsOf(
  db: Connection,
  workspaceIds: readonly string[],
): Promise<Map<string, Link>> {
  const found = await rows<Link & { workspaceId: string }>(
    db,
    Prisma.sql`select w.id as "workspaceId", s.position, s.hash
      from unnest(${[...workspaceIds]}::uuid[]) w(id) cross join lateral (
        select s.position, s.hash from audit_seal s where s.workspace_id = w.id
        order by s.position desc limit 1) s`,
  );
  return new Map(found.map(({ workspaceId, ...link }) => [workspaceId, link]));
}

/** The number of the last entry of a workspace that is sealed, as an expression; 0 where none is. */
function sealedTo(workspace: string): Prisma.Sql {
  return Prisma.raw(
    `coalesce((select max(s.sequence) from audit_seal s where s.workspace_id = ${workspace}), 0)`,
  );
}
