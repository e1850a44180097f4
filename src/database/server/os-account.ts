// The account that the server runs as: PostgreSQL refuses to run as root.

import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
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
    // May pass through folders that are closed to it, such as a home of root. PostgreSQL's programs look
    // for themselves with access(2), which leaves out the rights of an account that isn't root, unless the
    // kernel was told not to adjust rights when the account changes (capabilities(7), "securebits").
    {
      ...asWeAre,
      prefix: ['setpriv', '--securebits=+no_setuid_fixup', ...become, ...search],
      owner,
    },
    // Root under another name, within a namespace of its own; without a change of owner.
    { ...asWeAre, prefix: ['unshare', '--user', '--map-user=1000', '--map-group=1000'] },
    // Needs no program and no right but to change the account; every folder on the way has to be open to it.
    { ...asWeAre, owner, spawnAs: owner, needsParent: true },
  ];
}

/**
 * The account for a server on a cluster, which may not be there yet; the folder around it is. Tries each
 * way by what the server will do there, and takes the first that works. Throws where none does; the
 * message names the folder that is closed, where one is, and what to do.
 */
export function serverAccount(programs: Programs, cluster: string): Account {
  const parent = dirname(cluster);
  const folder = existsSync(cluster) ? cluster : null;
  return firstThatWorks(waysFor(serverOwner), { programs, parent, folder });
}

/** The account for `initdb`, which makes a folder within `parent`; as `serverAccount`. */
export function initdbAccount(programs: Programs, parent: string): Account {
  return firstThatWorks(waysFor(nobody), { programs, parent, folder: null });
}

/** What a way is tried with. */
interface Trial {
  readonly programs: Programs;
  readonly parent: string;
  /** The account's own folder; null where one is made within `parent` for the trial. */
  readonly folder: string | null;
}

function firstThatWorks(ways: readonly Account[], trial: Trial): Account {
  const failures: string[] = [];
  for (const way of ways) {
    const failure = tryOut(way, trial);
    if (failure === null) return way;
    failures.push(`${way.prefix[0] ?? 'directly'}: ${failure}`);
  }
  const closed = closedFolder(dirname(trial.programs.postgres)) ?? closedFolder(trial.parent);
  const who = process.getuid?.() === 0 ? 'root' : 'this user';
  const reason = closed === null ? '' : `, and ${closed} is closed to other users`;
  throw new Error(
    `PostgreSQL can't be run by ${who} here${reason} (${failures.join('; ')}). Ways out: ` +
      'start Headwater as another user who may read its files and write to DATA_DIR; ' +
      'move it, or DATA_DIR, to a folder that is open to all users, such as one in /opt; ' +
      'or set DATABASE_URL to the address of a PostgreSQL server.',
  );
}

/** The uppermost folder on the way to a path that only its owner may pass through; null where none is. */
function closedFolder(path: string): string | null {
  const above = dirname(path);
  const closed = above === path ? null : closedFolder(above);
  if (closed !== null) return closed;
  return (statSync(path).mode & 0o001) === 0 ? path : null;
}

/**
 * Do what the server will do: enter its folder, write there, and find PostgreSQL's programs and
 * libraries. Returns null, or why it fails. On a cluster that is there it needs no room on the disk.
 */
function tryOut(account: Account, { programs, parent, folder }: Trial): string | null {
  let made: string | null = null;
  try {
    if (account.needsParent && account.owner) chown(parent, account.owner);
    if (folder === null) {
      made = mkdtempSync(join(parent, 'trial-'));
      writeFileSync(join(made, 'PG_VERSION'), '', { mode: 0o600 });
    }
    const own = folder ?? made ?? parent;
    giveTo(account, own);
    return runTrial(account, programs, own);
  } catch (error) {
    return messageOf(error);
  } finally {
    if (made !== null) rmSync(made, { recursive: true, force: true });
  }
}

/** Asked for one setting, PostgreSQL finds itself before it answers; the configuration comes later. */
const trialScript =
  'cd "$1" && : >>PG_VERSION && exec "$2" -C port -D "$1" -c config_file=/dev/null';

function runTrial(account: Account, { postgres }: Programs, folder: string): string | null {
  const [command = '', ...args] = [
    ...account.prefix,
    ...['sh', '-c', trialScript, 'sh', folder, postgres],
  ];
  const { status, error, stderr } = spawnSync(command, args, {
    ...account.spawnAs,
    cwd: '/',
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
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
