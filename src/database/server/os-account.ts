// The account that the server runs as: PostgreSQL refuses to run as root.

import { spawnSync } from 'node:child_process';
import { chownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../errors.ts';
import type { Programs } from './programs.ts';

/** How a program is started as an account that may be another than ours. */
export interface Account {
  /** What stands before the program and its arguments; empty where nothing does. */
  readonly prefix: readonly string[];
  /** Who has to own the server's files; null where that is who we are. */
  readonly owner: Owner | null;
  /** Given to `spawn`; only where no program in front switches the account. */
  readonly spawnAs: Partial<Owner>;
  /** Whether the folder around the server's own has to be given to it as well, to let it pass. */
  readonly needsParent: boolean;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Whom the server runs as where we are root: an id that no account has, so that no other program of
 * the machine runs as it, below 65,536, which is all that some containers have.
 */
const serverOwner: Owner = { uid: 65_432, gid: 65_432 };

/** Whom initdb runs as where we are root: it wants an account with a name, and every system has this one. */
const nobody: Owner = { uid: 65_534, gid: 65_534 };

/** Ourselves, or, where we are root, ways to be somebody else, the surest first. */
function waysFor(owner: Owner): Account[] {
  const asWeAre: Account = { prefix: [], owner: null, spawnAs: {}, needsParent: false };
  if (process.getuid?.() !== 0) return [asWeAre];
  const { uid, gid } = owner;
  const search = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  const become = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return [
    // May pass through folders that are closed to it, such as a data folder below /root.
    { ...asWeAre, prefix: ['setpriv', ...become, ...search], owner },
    // Root under another name, within a namespace of its own; without a change of owner.
    { ...asWeAre, prefix: ['unshare', '--user', '--map-user=1000', '--map-group=1000'] },
    // Needs no program at all, but every folder on the way has to be open to it.
    { ...asWeAre, owner, spawnAs: owner, needsParent: true },
  ];
}

/**
 * The account for a server whose files lie in a folder within `parent`, which exists. Tries each way
 * and takes the first that works. Throws, saying what to do, where none does.
 */
export function serverAccount(programs: Programs, parent: string): Account {
  return firstThatWorks(waysFor(serverOwner), programs.postgres, parent);
}

/** The account for `initdb`, which makes a folder within `parent`; as `serverAccount`. */
export function initdbAccount(programs: Programs, parent: string): Account {
  return firstThatWorks(waysFor(nobody), programs.initdb, parent);
}

function firstThatWorks(ways: readonly Account[], program: string, parent: string): Account {
  const failures: string[] = [];
  for (const way of ways) {
    const failure = tryOut(way, program, parent);
    if (failure === null) return way;
    failures.push(`${way.prefix[0] ?? 'directly'}: ${failure}`);
  }
  const who = process.getuid?.() === 0 ? 'root, and no way to another account works' : 'this user';
  throw new Error(
    `PostgreSQL cannot be run by ${who} here (${failures.join('; ')}). ` +
      'Start Headwater as another user who may read its files and write to DATA_DIR, ' +
      'or set DATABASE_URL to the address of a PostgreSQL server.',
  );
}

/** Whether the account can pass through the folder and run the program; null, or why it can't. */
function tryOut(account: Account, program: string, parent: string): string | null {
  try {
    if (account.needsParent && account.owner) chown(parent, account.owner);
  } catch (error) {
    return messageOf(error);
  }
  const script = 'cd "$1" && exec "$2" --version';
  const [command = '', ...args] = [...account.prefix, 'sh', '-c', script, 'sh', parent, program];
  const { status, error, stderr } = spawnSync(command, args, {
    ...account.spawnAs,
    cwd: '/',
    encoding: 'utf8',
    timeout: 10_000,
  });
  if (status === 0) return null;
  const said = (stderr ?? '').trim().split('\n').at(-1);
  return said || (error?.message ?? `it ended with ${status}`);
}

/** Give a folder, with all in it, to the account that the server runs as. */
export function giveTo(account: Account, folder: string): void {
  const wanted = account.owner ?? ownIds();
  if (wanted === null || isOwnedBy(folder, wanted)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chown(join(entry.parentPath, entry.name), wanted);
  }
  // Last: where this was cut off in the middle, the next start sees by the folder that it was.
  chown(folder, wanted);
}

function ownIds(): Owner | null {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return uid === undefined || gid === undefined ? null : { uid, gid };
}

function isOwnedBy(path: string, { uid }: Owner): boolean {
  return lstatSync(path).uid === uid;
}

function chown(path: string, { uid, gid }: Owner): void {
  if (lstatSync(path).uid === uid) return;
  try {
    chownSync(path, uid, gid);
  } catch {
    throw new Error(`${path} can't be given to the user ${uid}`);
  }
}

/**
 * Throws where somebody else's files lie in the data folder; root may take them over, others may not.
 */
export function refuseForeignFiles(dataDir: string): void {
  const ours = process.getuid?.();
  if (ours === undefined || ours === 0) return;
  const foreign = readdirSync(dataDir)
    .map((name) => join(dataDir, name))
    .find((path) => (lstatSync(path, { throwIfNoEntry: false })?.uid ?? ours) !== ours);
  if (foreign === undefined) return;
  throw new Error(
    `${foreign} belongs to another user (${lstatSync(foreign).uid}). Start Headwater as the user who ` +
      `made the data folder, or change its owner: chown -R ${ours} ${dataDir}`,
  );
}
