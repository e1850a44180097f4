// The PostgreSQL server that comes with the packages: runs it on a data folder, and again
// whenever it ends by itself.

import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Access, adapted, addressOf, makeAccess, readAccess, storeAccess } from './access.ts';
import { type Child, type ServerRun, startChild } from './child.ts';
import { claimFolder } from './claim.ts';
import { clusterName, createCluster, refuseForeign, writePrivate } from './cluster.ts';
import { giveTo, refuseForeignFiles, serverAccount } from './os-account.ts';
import { packagedPrograms } from './programs.ts';
import { awaitRemains } from './remains.ts';
import { role, setUpStatements } from './set-up.ts';
import { accessRules, configuration } from './settings.ts';
import { runAsSuperuser } from './superuser.ts';

export interface ServerOptions {
  /** The data folder; made if it is not there. */
  readonly dataDir: string;
  /** See `ServerSettings`. */
  readonly durability: 'full' | 'relaxed';
  readonly maxConnections: number;
  /** The cluster that a new one is copied from. Default the build's. */
  readonly template?: string | undefined;
  /** Called with one sentence on what the operator should know of. */
  readonly onNotice: (message: string) => void;
  /** Called when what is left is to wait for the server. */
  readonly onLaunch?: (() => void) | undefined;
}

/** The packaged server, running; the folder is this process's alone. */
export interface Server {
  /** Its address, which stays the same when it has to be started again. */
  readonly url: string;
  /** Stop it and let go of the folder. */
  stop(): Promise<void>;
}

/** Where the build leaves an empty cluster with every migration applied. */
const builtTemplate = fileURLToPath(new URL('../../../dist/template', import.meta.url));

/**
 * Start the packaged server on a data folder, which is made at the first start. Throws FolderInUse
 * where another process has it, and an error that says what to do where it can't be started.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const dataDir = makeFolder(options.dataDir);
  refuseForeignFiles(dataDir);
  refuseForeign(dataDir);
  // What was taken is let go of in the opposite order, whether the server stops or never started.
  const taken = [await claimFolder(dataDir)];
  const letGo = async () => {
    for (const release of taken.reverse()) await release();
  };
  try {
    const programs = packagedPrograms();
    const cluster = join(dataDir, clusterName);
    const account = serverAccount(programs, cluster);
    const held = await awaitRemains({ dataDir, cluster, account, onNotice: options.onNotice });
    taken.push(held.close);
    const logFile = join(dataDir, 'postgres.log');
    const run: ServerRun = { programs, account, cluster, logFile, descriptor: held.descriptor };
    const access = await openCluster(options, run, dataDir);
    taken.push(await keepRunning(run, options));
    return { url: addressOf(dataDir, access), stop: letGo };
  } catch (error) {
    await letGo();
    throw error;
  }
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return realpathSync(path);
}

/** Make the cluster unless it is there, bring its configuration up to date, and say how to reach it. */
async function openCluster(
  options: ServerOptions,
  run: ServerRun,
  dataDir: string,
): Promise<Access> {
  const { cluster, account } = run;
  const stored = readAccess(dataDir);
  const access = stored ? await adapted(dataDir, stored) : await makeAccess(dataDir);
  const password = `alter role ${role} password '${access.password}'`;
  if (!existsSync(cluster)) {
    await createCluster(dataDir, options.template ?? builtTemplate, async (folder) => {
      giveTo(account, folder);
      await runAsSuperuser({ ...run, cluster: folder }, [password]);
    });
  } else {
    giveTo(account, cluster);
    // Somebody removed the file with the password, or a first start was cut off before it was stored.
    const missing = setUpStatements.filter((statement) => !stored?.setUp.includes(statement));
    const statements = [...(stored ? [] : [password]), ...missing];
    if (statements.length > 0) await runAsSuperuser(run, statements);
  }
  storeAccess(dataDir, { ...access, setUp: [...setUpStatements] });
  const { durability, maxConnections } = options;
  const settings = configuration({ durability, maxConnections, port: access.port });
  writePrivate(join(cluster, 'headwater.conf'), settings, account);
  writePrivate(join(cluster, 'pg_hba.conf'), accessRules, account);
  return access;
}

/** A server that ended by itself is started again after these pauses, the last one again and again. */
const pausesMs = [0, 500, 1_000, 2_000, 5_000];
/** After so long a run the next failure counts as the first. */
const calmMs = 60_000;

/**
 * How a recovery fails where a transaction that had made an unlogged table was undone at the last moment
 * before the crash: the table's file is still there, and the one next to it that says what kind it is
 * comes back with the recovery. PostgreSQL looks for such pairs before the recovery, so the next one,
 * which begins with this pair, succeeds.
 */
const healing = /could not create file "base\/[^"]+": File exists/;

/** Start a server that may have to recover from a crash; throws as `startChild`. */
async function startRecovering(run: ServerRun, onLaunch?: () => void): Promise<Child> {
  try {
    return await startChild(run, onLaunch);
  } catch (error) {
    if (error instanceof Error && healing.test(error.message)) return startChild(run);
    throw error;
  }
}

/** Run the server until the returned function is called. */
async function keepRunning(
  run: ServerRun,
  { onNotice, onLaunch }: Pick<ServerOptions, 'onNotice' | 'onLaunch'>,
): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  let child: Child | null = await startRecovering(run, onLaunch);
  let startedAt = performance.now();
  let failures = 0;

  async function again(): Promise<void> {
    if (performance.now() - startedAt > calmMs) failures = 0;
    const pause = pausesMs[Math.min(failures, pausesMs.length - 1)];
    failures += 1;
    await sleep(pause, undefined, { signal: stopping.signal, ref: false });
    startedAt = performance.now();
    child = await startRecovering(run);
    onNotice('The database server runs again.');
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await child?.ended;
      if (stopping.signal.aborted) return;
      if (child)
        onNotice(`The database server ended by itself (see ${run.logFile}); starting it again.`);
      child = null;
      try {
        await again();
      } catch (error) {
        if (!stopping.signal.aborted && error instanceof Error) onNotice(error.message);
      }
    }
  }
  const watching = watch();
  return async () => {
    stopping.abort();
    await child?.stop();
    await watching;
    await child?.stop();
  };
}
