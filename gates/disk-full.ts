// Leaves the server no room on its disk: `npm run gates -- disk-full`.
//
// The data folder is a file system of 320 MB, in a namespace of mounts that ends with the gate. An upload that
// is larger than what is left has to be answered with 507 and leave nothing; then the rest is filled, and writes
// until the database has no room either may be answered with 507 or 503, never with another 5xx. Given room
// again, the server has to recover by itself; after a restart all that it acknowledged has to be there, whole. Its
// log lies on the same file system: lines that find no room are dropped and counted, and later ones written.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { packagedUrl } from '../src/database/attach.ts';
import { seeingEvery } from '../src/database/connections/session-settings.ts';
import { type Started, startScript } from '../test/started.ts';
import { clientOf } from './edits/client.ts';

const sizeMb = 320;
const key = 'only-for-this-gate-only-for-this-gate';
const uploadBytes = 400_000_000;
/** Of what a write brings, so that a few of them fill what is left. */
const textBytes = 90_000;
const writers = 4;
const writeForMs = 15_000;
/** How long the server may take to do its work again when there is room. */
const recoverMs = 30_000;

const inNamespace = process.env.DISK_OF_GATE;
process.exitCode = inNamespace ? await main(inNamespace) : await enterNamespace();

/** Run this again where what is mounted is seen by no one else, and ends with it. */
async function enterNamespace(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-disk-'));
  const who = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const mount = `mount -t tmpfs -o size=${sizeMb}m,mode=755 none "$DISK_OF_GATE" && exec "$@"`;
  const self = ['--import', 'tsx', fileURLToPath(import.meta.url)];
  const child = spawn(
    'unshare',
    [...who, '--mount', 'sh', '-c', mount, 'sh', process.execPath, ...self],
    { stdio: 'inherit', env: { ...process.env, DISK_OF_GATE: folder } },
  );
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  rmSync(folder, { recursive: true, force: true });
  return code ?? 1;
}

async function main(disk: string): Promise<number> {
  const dataDir = join(disk, 'data');
  mkdirSync(dataDir);
  const faults: string[] = [];
  const noted: Noted = { answers: new Map(), acknowledged: [] };
  let server = start(dataDir);
  try {
    const address = await server.ready();
    const uploaded = await upload(address);
    if (uploaded !== 507) faults.push(`An upload without room was answered with ${uploaded}.`);
    await writeAll(address, noted, 1_000);
    const filler = join(disk, 'filler');
    fill(filler);
    const full = await upload(address);
    if (![503, 507].includes(full))
      faults.push(`An upload to a full disk was answered with ${full}.`);
    await writeAll(address, noted, writeForMs);
    rmSync(filler);
    const log = logOf(dataDir);
    const [dropped, logged] = [await droppedLines(address), statSync(log).size];
    if (dropped === 0) faults.push('No line of the log was dropped, or none was counted.');
    const recoveredMs = await untilWritten(address);
    if (recoveredMs > recoverMs) faults.push('It did not recover by itself.');
    await writeAll(address, noted, 1_000);
    if (statSync(log).size === logged) faults.push('No line of the log was written again.');
    const isAlive = server.child.exitCode === null;
    if (!isAlive) faults.push('The process ended.');
    const code = await server.stop();
    if (code !== 0) faults.push(`It stopped with ${code}.`);
    server = start(dataDir);
    await server.ready();
    faults.push(...(await faultsIn(dataDir, noted)));
    for (const answer of noted.answers.keys()) {
      if (!['201', '503', '507'].includes(answer)) faults.push(`A write was answered ${answer}`);
    }
    const refused = [...noted.answers].filter(([answer]) => /^50[37]/.test(answer));
    if (refused.length === 0) faults.push('The disk was never full.');
    for (const fault of faults.slice(0, 10)) console.log(fault);
    const answers = [...noted.answers].sort().map(([answer, times]) => `${times} x ${answer}`);
    console.log(
      `Uploads without room: ${uploaded} and ${full}. Writes: ${answers.join(', ')}. Written again ` +
        `${(recoveredMs / 1000).toFixed(1)} s after there was room; ${dropped} lines of the log dropped; ` +
        `${noted.acknowledged.length} acknowledged; ${faults.length} faults.`,
    );
    return faults.length === 0 ? 0 : 1;
  } finally {
    await server.stop('SIGKILL');
  }
}

interface Noted {
  /** How often each answer came. */
  readonly answers: Map<string, number>;
  /** Ids of what was made. */
  readonly acknowledged: string[];
}

/** Start a server that logs each request into a file next to its data. */
function start(dataDir: string): Started {
  const env = { DATA_DIR: dataDir, ADMIN_API_KEY: key, LOG_LEVEL: 'info' };
  const log = openSync(logOf(dataDir), 'a');
  try {
    return startScript('start.mjs', env, [], log);
  } finally {
    closeSync(log);
  }
}

function logOf(dataDir: string): string {
  return `${dataDir}.log`;
}

/** How many lines of its log the server could not write. */
async function droppedLines(address: string): Promise<number> {
  const figures = await (await fetch(`${address}/metrics`)).text();
  return Number(/^headwater_log_lines_dropped_total (\d+)$/m.exec(figures)?.[1] ?? 0);
}

/** Write until nothing more goes on the disk. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const bytes of [Buffer.alloc(1 << 20), Buffer.alloc(4_096)]) {
      try {
        for (;;) writeSync(file, bytes);
      } catch {
        // There is no room for as much.
      }
    }
  } finally {
    closeSync(file);
  }
}

/** Make tables with long texts, for a time. */
async function writeAll(address: string, noted: Noted, ms: number): Promise<void> {
  const { rest } = clientOf(address, key);
  const until = performance.now() + ms;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (performance.now() < until) {
        const description = randomBytes(textBytes / 2).toString('hex');
        const { data, refusal, message } = await rest('POST', '/table/tables', {
          ...{ title: 'written', description },
        }).catch((error) => ({ data: null, refusal: 'broken', message: String(error.cause) }));
        const answer =
          refusal === null || /^50[37]$/.test(refusal)
            ? (refusal ?? '201')
            : `${refusal} ${message}`;
        noted.answers.set(answer, (noted.answers.get(answer) ?? 0) + 1);
        if (refusal === null) noted.acknowledged.push(data.id);
        else await sleep(50);
      }
    }),
  );
}

async function untilWritten(address: string): Promise<number> {
  const began = performance.now();
  const { rest } = clientOf(address, key);
  while (performance.now() - began < recoverMs) {
    const { refusal } = await rest('POST', '/tag/tags', { name: `n ${performance.now()}` });
    if (refusal === null) break;
    await sleep(100);
  }
  return performance.now() - began;
}

/** Upload more than there is room for; the status of the answer. */
async function upload(address: string): Promise<number> {
  const { rest } = clientOf(address, key);
  const made = await rest('GET', '/integration/integrations?page_size=1');
  const id =
    made.data?.results?.[0]?.id ??
    (await rest('POST', '/integration/integrations', { type: 'custom', name: 'Disk' })).data?.id;
  const form = new FormData();
  form.set('resources_file', new Blob([Buffer.alloc(uploadBytes, 'a')]), 'resources.jsonl');
  const response = await fetch(
    `${address}/api/v1/integration/integrations/${id}/import_jsonl_metadata`,
    { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form },
  );
  await response.text();
  return response.status;
}

/** What of the acknowledged is missing or half there; reading all of it also checks its checksums. */
async function faultsIn(dataDir: string, { acknowledged }: Noted): Promise<string[]> {
  const client = new pg.Client(seeingEvery(packagedUrl(dataDir)));
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string; length: number; audited: boolean }>(
      `select id, length(description) as length, exists (select from audit_log a
          where a.resource_id = r.id and a.activity_type = 'table_created') as audited
        from resource r where title = 'written'`,
    );
    const whole = new Set(
      rows.filter((row) => row.length === textBytes && row.audited).map(({ id }) => id),
    );
    const lost = acknowledged.filter((id) => !whole.has(id));
    const torn = rows.length - whole.size;
    return [
      ...(lost.length > 0 ? [`${lost.length} acknowledged are lost.`] : []),
      ...(torn > 0 ? [`${torn} are half there.`] : []),
    ];
  } finally {
    await client.end();
  }
}
