// Starting the process.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import type { App } from './app.ts';
import { type Config, readConfig, unknownNotice, unknownSettings } from './config.ts';
import type { Database } from './database/database.ts';
import { failureOf } from './database/failure.ts';
import { openDatabase } from './database/open.ts';
import type { DemoOutcome, DemoPlace } from './demo/demo.ts';
import { statusOf } from './errors.ts';
import { readOperations } from './graphql/persisted/operation-lists.ts';
import { type AnswerListener, type HttpServer, openHttpServer } from './http/server.ts';
import { guardConnections } from './limits/connections.ts';
import { prepareDataDir } from './process/data-dir.ts';
import { baseOf, greet, isLinkDue } from './process/greeting.ts';
import { openLog } from './process/log.ts';
import { programVersion } from './process/program-version.ts';
import { databaseFailure, listenFailure, startFailure } from './process/start-failure.ts';
import { stopOnSignals } from './process/stop.ts';
import { type Surroundings, surroundingsOf } from './surroundings.ts';
import { logAnswer } from './tracing/access-log.ts';
import { openTracer } from './tracing/open.ts';
import { currentRequest } from './tracing/request.ts';

const usage = `Usage: npm start [-- OPTION]

  --demo      Load the sample workspace, if there is nothing else yet: npm run demo.
  --help      Print this.
  --version   Print the version.

Settings are environment variables; docs/operations.md explains them.`;

const [option, ...others] = process.argv.slice(2);
const isDemo = option === '--demo';
/** How long after the start what it did without is loaded. */
const settleMs = 500;

/** Settles when everything is loaded, a moment after the start; null where there was none. */
export const settled: Promise<void> | null = begin();

function begin(): Promise<void> | null {
  if (option === '--help') console.log(usage);
  else if (option === '--version') console.log(programVersion());
  else if (others.length > 0 || (option !== undefined && !isDemo)) {
    console.error(`The option ${isDemo ? others[0] : option} is not known.\n\n${usage}`);
    process.exitCode = 2;
  } else return main();
  return null;
}

async function main(): Promise<void> {
  let config: Config | null = null;
  try {
    config = readConfig(process.env);
    const { rest, checkProviders } = await start(config);
    // The first requests come before what they may do without.
    await sleep(settleMs, undefined, { ref: false });
    await rest();
    await checkProviders();
    // Anyone who waits for `settled` comes first: V8 takes no code that it compiled under other flags.
    setImmediate(keepHeapSmall);
  } catch (error) {
    console.error(startFailure(error, config));
    process.exit(1);
  }
}

async function start(config: Config): Promise<App> {
  // What is written into the data folder is no one else's to read.
  process.umask(0o077);
  const stop = stopOnSignals();
  const { log, droppedLines } = openLog(config.LOG_LEVEL);
  // An error that no one waits for is a fault of ours, and no reason to leave everybody else.
  process.on('unhandledRejection', (error) => logFault(log, error));
  for (const name of unknownSettings(process.env)) log.warn(unknownNotice(name));
  // What the settings name is read and checked as they are: before anything is made or opened.
  const filesDir = filesDirOf(config);
  const surroundings = surroundingsOf({ ...config, FILES_DIR: filesDir });
  const operations = readOperations(config);
  await prepareDataDir(config.DATA_DIR);
  // Before anything is made that is shown only once: the port may be taken.
  const tracer = await openTracer(process.env, (message) => log.warn(message));
  const onAnswer: AnswerListener = (...ended) => logAnswer(log, ...ended);
  const http = openHttpServer({ onAnswer, tracer, trustsProxy: config.TRUST_PROXY });
  await listen(http, config);
  const { opening } = await beginOpening(config, stop.signal, log);
  // Loading the rest keeps this thread busy; the database server starts in the meantime.
  const [{ createApp }, { ensureFirstAdmin }, { keyFileIn }, { startWork }] = await Promise.all([
    import('./app.ts'),
    import('./people/first-admin.ts'),
    import('./auth/key-file.ts'),
    import('./work.ts'),
  ]);
  const database = await opening;
  const file = keyFileIn(config.DATA_DIR);
  const admin = await ensureFirstAdmin(database, {
    key: config.ADMIN_API_KEY,
    file,
    toFile: !process.stdout.isTTY,
  });
  const app = createApp({
    database,
    surroundings,
    config,
    operations,
    onUnexpected: (error) => logFault(log, error),
    onNotice: (message) => log.warn(message),
    droppedLines,
  });
  const { workspaceId } = admin;
  const outcome = isDemo
    ? await loadSample({ database, surroundings, workspaceId }, filesDir)
    : null;
  await sealAnew(database, surroundings, log);
  const worker =
    config.ROLE === 'api'
      ? null
      : startWork({
          ...{ database, surroundings, log, tracer },
          retention: config,
          onError: onJobError(log),
        });
  if (!worker) log.info(leftToOthers);
  const { settle } = app;
  stop.guard({ http, worker, settle, database, tracer, drainSeconds: config.DRAIN_SECONDS });
  guardConnections(http.server, {
    maxConnections: config.MAX_CONNECTIONS,
    keepAliveMs: config.KEEP_ALIVE_SECONDS * 1_000,
    isSignedIn: app.isSignedIn,
    onClosing: app.metrics.watchServer(http.server),
  });
  http.begin(app.handle, app.metrics.observe);
  const base = config.PUBLIC_URL ?? baseOf(http.server);
  const path = isDemo ? await showcase(database, workspaceId) : '/';
  const { key, userId } = admin;
  const isDue = userId !== null && config.ROLE !== 'worker' && isLinkDue(key, outcome);
  // Browsers send no one what is behind the `#`.
  const link = isDue ? `${base}${path}#code=${app.makeCode({ workspaceId, userId })}` : null;
  greet({ base: baseOf(http.server), key, file: file.path, link });
  return app;
}

/** What of the sample is shown first; the first page where it is not there. */
async function showcase(database: Database, workspaceId: string): Promise<string> {
  const { showcaseOf } = await import('./demo/demo.ts');
  return showcaseOf(database, workspaceId);
}

/** What ROLE=api leaves undone, for who runs such a process alone. */
const leftToOthers =
  'ROLE=api: jobs, schedules and the seals of the audit log are left to processes with ROLE=worker or ROLE=all.';

/** How often it is tried to open a database that takes a connection, but not in time. */
const maxOpenings = 10;

/** Begin to open the database; settles when what is left is to wait for its server. */
function beginOpening(
  config: Config,
  signal: AbortSignal,
  log: Logger,
): Promise<{ opening: Promise<Database> }> {
  return new Promise((resolve, reject) => {
    const opening = open(config, signal, log, () => resolve({ opening }));
    opening.catch(reject);
  });
}

/** Open the database, as soon as there is one. */
async function open(
  config: Config,
  signal: AbortSignal,
  log: Logger,
  onLaunch: () => void,
): Promise<Database> {
  const onNotice = (message: string) => log.warn(message);
  const { awaitServer, serverPlaces } = await import('./database/await-server.ts');
  const places = serverPlaces(config);
  const openOnce = () =>
    openDatabase({
      databaseUrl: config.DATABASE_URL,
      directUrl: config.DATABASE_DIRECT_URL,
      readUrl: config.DATABASE_READ_URL,
      preparedStatements: config.DATABASE_PREPARED_STATEMENTS,
      dataDir: config.DATABASE_URL ? undefined : config.DATA_DIR,
      durability: config.DURABILITY,
      statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
      maxConnections: config.DATABASE_POOL,
      lineageMemory: { maxBytes: config.LINEAGE_MEMORY_MB * 1024 * 1024, waits: false },
      slowStatementMs: config.SLOW_STATEMENT_MS,
      onSlowStatement: ({ text, ms }) =>
        log.warn({ statement: text, ms: Math.round(ms) }, 'A statement was slow.'),
      onNotice,
      onLaunch,
    });
  // Whatever else fails, fails where the migrations are applied.
  let place = places.at(-1);
  try {
    // The packaged server says itself when it is waited for.
    if (places.length > 0) onLaunch();
    for (let opening = 1; ; opening += 1) {
      for (place of places) await awaitServer(place, { onNotice, signal });
      const database = await openOnce().catch((error: unknown) => {
        // While this thread loads the program, connections may take too long to be made.
        if (opening === maxOpenings || failureOf(error)?.code !== 'UNAVAILABLE') throw error;
      });
      if (database) return database;
    }
  } catch (error) {
    throw databaseFailure(error, place);
  }
}

/**
 * On a machine of much memory Node.js lets the heap grow to four times what lives in it before it
 * collects what does not; on a small one to less than twice. An import leaves a lot behind; a start,
 * which comes before this, is quicker without.
 */
function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=60');
}

/** Where the operator says nothing, the file of the sample's live source lies with the other data. */
function filesDirOf({ FILES_DIR, DATA_DIR }: Config): string | undefined {
  const own = join(DATA_DIR, 'files');
  return FILES_DIR ?? (isDemo || existsSync(own) ? own : undefined);
}

/** `npm run demo`: the sample workspace comes before the first request. */
async function loadSample(place: DemoPlace, filesDir: string | undefined): Promise<DemoOutcome> {
  const { loadDemo } = await import('./demo/demo.ts');
  const report = (line: string) => console.log(`Sample: ${line}`);
  const outcome = await loadDemo(place, report, filesDir);
  if (outcome === 'not empty') {
    console.log('Sample: left out, because this workspace has resources of its own already.');
    console.log('        Set DATA_DIR to a new folder to see the sample.');
  }
  return outcome;
}

/** Integrations and webhooks that one line of the log names. */
const mostNamed = 10;

/** After a change of SECRETS_KEY nothing is to depend on the old one. */
async function sealAnew(
  database: Database,
  { masterKeys }: Surroundings,
  log: Logger,
): Promise<void> {
  const { rewrapCredentials } = await import('./integrations/credentials.ts');
  const { rewrapSecrets } = await import('./notifications/webhooks/secret.ts');
  for (const { what, done } of [
    {
      what: 'The credentials of integrations',
      done: await rewrapCredentials(database, masterKeys),
    },
    { what: 'The secrets of webhooks', done: await rewrapSecrets(database, masterKeys) },
  ]) {
    const { rewrapped, unknown } = done;
    if (rewrapped > 0) log.info(`${what} are encrypted with the new SECRETS_KEY: ${rewrapped}.`);
    if (unknown.length > 0) {
      const names = unknown.slice(0, mostNamed).join(', ');
      const others = unknown.length > mostNamed ? ` and ${unknown.length - mostNamed} more` : '';
      log.warn(
        `${what} ${names}${others} can't be opened: they were encrypted with another SECRETS_KEY. Start with ` +
          'both keys, the new one first (SECRETS_KEY=new,old), or enter them again.',
      );
    }
  }
}

/** An error that is no one's business but ours; the log says of itself in which request. */
function logFault(log: Logger, error: unknown): void {
  const { method, operation, path, userId, keyId } = currentRequest() ?? {};
  const request = { operation: operation ?? `${method} ${path}`, user: userId, key: keyId };
  log.error({ err: error, ...(method ? request : {}) }, 'A request failed unexpectedly.');
}

function onJobError(log: Logger) {
  return (error: unknown) => {
    const known = failureOf(error);
    if (known && statusOf(known.code) === 503) log.warn('Jobs wait: the database does not answer.');
    else log.error({ err: error }, 'A job failed unexpectedly.');
  };
}

function listen({ server }: HttpServer, config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(error, config)));
    server.listen(config.PORT, config.HOST, resolve);
  });
}
