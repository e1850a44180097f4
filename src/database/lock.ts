// Keeps a second process away from a data folder: PGlite itself would let it in and ruin both.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const holderShape = z.object({
  pid: z.number().int(),
  host: z.string(),
  /** Tells one boot of a machine from another; empty where the system does not say. */
  boot: z.string(),
  /** Tells two processes apart that got the same pid one after the other. */
  startedAt: z.string(),
});
type Holder = z.infer<typeof holderShape>;

const LOCK_FILE = 'headwater.lock';
/** Between taking the socket and writing its name the holder needs less than this. */
const NAME_ATTEMPTS = 40;
const NAME_PAUSE_MS = 50;

/**
 * Take the folder (made if it is not there) for this process until the returned function is called.
 * Throws with the holder's pid and host when another one has it. What a killed process left is
 * taken over; a lock from another host is not, for there is no way to see whether it still runs.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, LOCK_FILE);
  const server = await takeSocket(folder);
  if (server === null) throw inUse(folder, await findHolder(file));
  try {
    takeFile(folder, file);
  } catch (error) {
    server?.close();
    throw error;
  }
  return () => {
    rmSync(file, { force: true });
    server?.close();
  };
}

/**
 * Linux has sockets outside of the file system, which vanish with their process: the surest lock
 * there is on one machine. Returns null when it is taken, undefined where there are none.
 */
async function takeSocket(folder: string): Promise<Server | null | undefined> {
  if (process.platform !== 'linux') return undefined;
  // The same folder by another path is the same folder.
  const { dev, ino } = statSync(folder);
  const name = createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 32);
  const server = createServer();
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(`\0headwater-${name}`, () => resolve(server));
  });
}

function takeFile(folder: string, file: string): void {
  const me: Holder = {
    pid: process.pid,
    host: hostname(),
    boot: bootId(),
    startedAt: startOf(process.pid),
  };
  // Once for the lock a killed process left; whoever loses the race for it sees the winner's.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(file, `${JSON.stringify(me)}\n`, { flag: 'wx' });
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const holder = readHolder(file);
    if (holder !== null && !isGone(holder)) throw inUse(folder, holder);
    unlinkSync(file);
  }
  throw inUse(folder, readHolder(file));
}

/** Who has the socket: it writes its name right after, so an older name is waited out. */
async function findHolder(file: string): Promise<Holder | null> {
  for (let attempt = 0; attempt < NAME_ATTEMPTS; attempt += 1) {
    const holder = readHolder(file);
    if (holder !== null && !isGone(holder)) return holder;
    await sleep(NAME_PAUSE_MS);
  }
  return null;
}

function readHolder(file: string): Holder | null {
  try {
    return holderShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Absent, or cut off by the kill of the process that wrote it: nobody we could name.
    return null;
  }
}

function isGone(holder: Holder): boolean {
  if (holder.host !== hostname()) return false;
  if (holder.boot !== bootId()) return true;
  if (holder.pid === process.pid && holder.startedAt === startOf(process.pid)) return false;
  return !isRunning(holder.pid) || startOf(holder.pid) !== holder.startedAt;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function inUse(folder: string, holder: Holder | null): Error {
  if (holder === null) return new Error(`The data folder ${folder} is in use by another process.`);
  const where = `process ${holder.pid} on ${holder.host}`;
  const remedy =
    holder.host === hostname()
      ? 'Stop it first, or set DATA_DIR to another folder.'
      : `If that process is gone for good, delete ${join(folder, LOCK_FILE)}.`;
  return new Error(`The data folder ${folder} is in use by ${where}. ${remedy}`);
}

function bootId(): string {
  return readOr('/proc/sys/kernel/random/boot_id', '').trim();
}

/** When a process started, in clock ticks since boot; empty where the system does not say. */
function startOf(pid: number): string {
  const stat = readOr(`/proc/${pid}/stat`, '');
  // The second field is the program's name in brackets and may itself hold spaces and brackets.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function readOr(path: string, fallback: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return fallback;
  }
}
