// In charge of starting and stopping the process.

import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { type Logger, pino } from 'pino';
import type { App } from './app.ts';
import { type Config, readConfig, unknownSettings } from './config.ts';
import { failureOf } from './database/failure.ts';
import { type Database, openDatabase } from './database/open.ts';
import type { Worker } from './jobs/worker.ts';

/** After this time a stop no longer waits for requests that are under way. */
const hardStopMs = 30_000;
/** So long imports may go on after a stop was asked for, in the background or not. */
const importGraceMs = 15_000;

/** `npm run demo` */
const isDemo = process.argv.includes('--demo');

await main();

async function main(): Promise<void> {
  try {
    await start(readConfig(process.env));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

async function start(config: Config): Promise<void> {
  const log = pino({ level: config.LOG_LEVEL }, pino.destination({ dest: 2, sync: false }));
  for (const name of unknownSettings(process.env)) {
    log.warn(`The setting ${name} is not known and has no effect.`);
  }
  // The embedded database opens in its thread while this one loads the rest of the program.
  const [database, { createApp }, { ensureFirstAdmin }, { startWork }] = await Promise.all([
    openDatabase({
      databaseUrl: config.DATABASE_URL,
      directUrl: config.DATABASE_DIRECT_URL,
      dataDir: config.DATABASE_URL ? undefined : config.DATA_DIR,
      durability: config.DURABILITY,
      statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
      maxConnections: config.DATABASE_POOL,
      onNotice: (message) => log.warn(message),
    }),
    import('./app.ts'),
    import('./auth/first-admin.ts'),
    import('./work.ts'),
  ]);
  const { madeKey, workspaceId } = await ensureFirstAdmin(database, { key: config.ADMIN_API_KEY });
  const filesDir = filesDirOf(config);
  const app = createApp({
    database,
    config: { ...config, FILES_DIR: filesDir },
    onUnexpected: (error) => log.error({ err: error }, 'A request failed unexpectedly.'),
  });
  if (isDemo) await loadSample(database, workspaceId, filesDir);
  await sealAnew(database, log);
  const worker = config.ROLE === 'api' ? null : startWork(database, onJobError(log));
  await listen(app, config);
  announce(app, madeKey);
  stopOnSignals(app, worker, database);
  keepHeapSmall();
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
async function loadSample(
  database: Database,
  workspaceId: string,
  filesDir: string | undefined,
): Promise<void> {
  const { loadDemo } = await import('./demo/demo.ts');
  const tell = (line: string) => console.log(`Sample: ${line}`);
  const outcome = await loadDemo(database, workspaceId, tell, filesDir);
  if (outcome !== 'not empty') return;
  console.log('Sample: left out, because this workspace has resources of its own already.');
  console.log('        Set DATA_DIR to a new folder to see the sample.');
}

/** After a change of SECRETS_KEY nothing is to depend on the old one. */
async function sealAnew(database: Database, log: Logger): Promise<void> {
  const { rewrapCredentials } = await import('./integrations/credentials.ts');
  const { rewrapSecrets } = await import('./notifications/webhook-secret.ts');
  const db = { db: database.prisma, database };
  for (const { what, done } of [
    { what: 'Credentials of integrations', done: await rewrapCredentials(db) },
    { what: 'Secrets of webhooks', done: await rewrapSecrets(db) },
  ]) {
    const { rewrapped, unknown } = done;
    if (rewrapped > 0) log.info(`${what} have the new master key: ${rewrapped}.`);
    if (unknown > 0) {
      log.warn(`${what} can't be opened, because SECRETS_KEY is another one: ${unknown}.`);
    }
  }
}

function onJobError(log: Logger) {
  return (error: unknown) => {
    // Such as while a long import has the one connection of the embedded database: it passes.
    if (failureOf(error)?.code === 'UNAVAILABLE')
      log.warn('Jobs wait: the database does not answer.');
    else log.error({ err: error }, 'A job failed unexpectedly.');
  };
}

function listen({ server }: App, { PORT, HOST }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${PORT} on ${HOST} is taken; set PORT to another one.`)
          : error,
      );
    });
    server.listen(PORT, HOST, resolve);
  });
}

function announce({ server }: App, madeKey: string | null): void {
  const address = server.address();
  const base = isNetworkAddress(address) ? baseOf(address) : String(address);
  const lines = [
    `Headwater is ready at ${base}`,
    `  GraphiQL and GraphQL   ${base}/graphql`,
    `  REST                   ${base}/api/v1`,
    `  REST documentation     ${base}/api/v1/docs`,
    madeKey
      ? `  Admin API key          ${madeKey}   (shown only now)`
      : '  Admin API key          the one set or shown at the first start',
  ];
  console.log(lines.join('\n'));
}

function isNetworkAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

function baseOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function stopOnSignals(app: App, worker: Worker | null, database: Database): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    app.drain();
    setTimeout(() => process.exit(1), hardStopMs).unref();
    // Kept-alive connections would hold the server open as long as their clients like.
    // Subscriptions would hold it open for good; their clients subscribe again elsewhere.
    const [{ endWatches }, { closeSqlEngine }, { settleHere }] = await Promise.all([
      import('./graphql/watch.ts'),
      import('./lineage/engine.ts'),
      import('./jobs/here-ending.ts'),
    ]);
    endWatches(database);
    const closing = setInterval(() => app.server.closeIdleConnections(), 100);
    // Imports that take longer are told to stop in time for their clients to hear of it.
    const settling = settleHere(database, importGraceMs);
    await new Promise((resolve) => app.server.close(resolve));
    clearInterval(closing);
    await settling;
    // One may have begun on a connection that was still open.
    await settleHere(database, 0);
    await worker?.stop();
    // A thread that is just being loaded would take the process down with it.
    await closeSqlEngine();
    await database.close();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
