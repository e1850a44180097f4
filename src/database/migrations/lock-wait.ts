// Waiting for locks at a start: in short tries, so that no one waits behind it, and saying who holds them.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isCollision, isLockTimeout } from '../failure.ts';
import { migrationLock, takeMigrationLock } from './migration-lock.ts';

/** What waits, and who is told. */
export interface LockWait {
  /** The server itself, not a pooler. */
  readonly url: string;
  /** The connection that takes the locks. */
  readonly client: pg.ClientBase;
  /** What takes them, such as `The migration 2026_x`. */
  readonly what: string;
  readonly onNotice: (message: string) => void;
}

/** Take the lock of migrations alone, for the session, and say who has it. */
export async function waitForMigrationLock(wait: Omit<LockWait, 'what'>): Promise<void> {
  await using _reporting = await reportHolders({
    ...wait,
    what: 'The start, which needs the lock of migrations,',
  });
  await takeMigrationLock(wait.client, 'alone');
}

/** Others that want a table wait behind a try, and are served in the pause that follows. */
const minTryMs = 100;
const maxTryMs = 1_000;
const pausePerTry = 4;

/**
 * Run a transaction that takes locks which others may hold for long. It waits for a lock for a second at most, then
 * it is undone and tried again, without end: what would wait in line is the line. `work` must bear to be run again.
 */
export async function lockingTransaction<T>(wait: LockWait, work: () => Promise<T>): Promise<T> {
  const { client } = wait;
  await using _reporting = await reportHolders(wait);
  for (let tryMs = minTryMs; ; tryMs = Math.min(tryMs * 2, maxTryMs)) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = ${tryMs}`);
      const value = await work();
      await client.query('commit');
      return value;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      if (!isLockTimeout(error) && !isCollision(error)) throw error;
    }
    await sleep(tryMs * pausePerTry);
  }
}

const firstNoticeMs = 1_000;
const noticeEveryMs = 10_000;
const lookEveryMs = 250;
/** Sessions that one line names. */
const mostNamed = 3;

/** Say, from a second on and then every ten, who holds the locks that a connection waits for; until it is disposed of. */
export async function reportHolders(wait: LockWait): Promise<AsyncDisposable> {
  const { rows } = await wait.client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const over = new AbortController();
  const reporting = keepReporting(wait, rows[0]?.pid, over.signal);
  return {
    async [Symbol.asyncDispose]() {
      over.abort();
      await reporting;
    },
  };
}

async function keepReporting(
  { url, what, onNotice }: LockWait,
  pid: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const began = performance.now();
  const isOver = (ms: number) => sleep(ms, false, { signal }).catch(() => true);
  if (await isOver(firstNoticeMs)) return;
  // A second connection: the first one waits.
  const pool = new pg.Pool({ connectionString: url, application_name: 'headwater start', max: 1 });
  pool.on('error', () => {});
  let dueAt = performance.now();
  let seen: Holder[] = [];
  do {
    // Where they can't be read, it is still said that it takes long.
    const read = pool.query<Holder>(holdersSql, [pid, migrationLock]);
    const holders = await read.then((result) => result.rows).catch(() => []);
    // Between two tries no one is in its way.
    if (holders.length > 0) seen = holders;
    const now = performance.now();
    const isLong = now - began >= noticeEveryMs;
    if (now >= dueAt && (seen.length > 0 || isLong)) {
      onNotice(noticeOf(what, Math.round((now - began) / 1_000), seen));
      dueAt = now + noticeEveryMs;
      seen = [];
    }
  } while (!(await isOver(lookEveryMs)));
  await pool.end();
}

/** A session that another one waits for; null is what this login may not see. */
interface Holder {
  readonly pid: number;
  readonly program: string | null;
  readonly login: string | null;
  readonly state: string | null;
  readonly seconds: number | null;
}

/** The sessions that hold up another one ($1), or have the advisory lock of migrations ($2) that it wants. */
const holdersSql = `with own as (select $1::int as pid),
  holders as (
    select unnest(pg_blocking_pids(pid)) as pid from own
    union select l.pid from pg_locks l, own
      where l.locktype = 'advisory' and l.classid = 0 and l.objid = $2 and l.objsubid = 1 and l.granted
        and l.database = (select oid from pg_database where datname = current_database())
        and not exists (select from pg_locks o where o.pid = own.pid and o.locktype = 'advisory'
          and o.classid = 0 and o.objid = $2 and o.objsubid = 1 and o.granted))
  select h.pid, coalesce(nullif(a.application_name, ''), a.backend_type) as program, a.usename::text as login,
    a.state, extract(epoch from now() - coalesce(a.xact_start, a.state_change))::int as seconds
  from holders h left join pg_stat_activity a on a.pid = h.pid
  order by seconds desc nulls last, h.pid`;

function noticeOf(what: string, seconds: number, holders: readonly Holder[]): string {
  const [first] = holders;
  if (first === undefined) return `${what} has been under way for ${seconds} s.`;
  const others = holders.length - mostNamed;
  const named = holders.slice(0, mostNamed).map(wordsOf).join('; ');
  const more = others > 0 ? `; and ${others} more` : '';
  return (
    `${what} has waited for ${seconds} s, held up by ${named}${more}. It goes on when that ends, and others are ` +
    `served in the meantime. To end it: select pg_terminate_backend(${first.pid})`
  );
}

function wordsOf({ pid, program, login, state, seconds }: Holder): string {
  // A prepared transaction has no process.
  if (pid === 0) return 'a prepared transaction (pg_prepared_xacts)';
  const known = [
    `pid ${pid}`,
    login !== null && `user ${login}`,
    state,
    seconds !== null && `for ${seconds} s`,
  ];
  return `${program ?? 'a session'} (${known.filter(Boolean).join(', ')})`;
}
