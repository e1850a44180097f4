// The server that the import bench uploads to: the built program, in a process of its own.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { freePort } from '../scripts/free-port.mjs';
import { cpuBelow, cpuOf } from './cpu.ts';

export interface ImportServerOptions {
  readonly dataDir: string;
  /** An empty database on a PostgreSQL server; without one the server has one of its own. */
  readonly databaseUrl: string | undefined;
  /** The checkout whose server it is. Default this one. */
  readonly root?: string;
  /** The admin's key, where the folder is one that a run before this one made. Default a new one. */
  readonly key?: string;
}

/** How long the event loop of the server was held up since that was last asked, in milliseconds. */
export interface LoopDelay {
  readonly p99: number;
  readonly max: number;
}

export interface ImportServer {
  /** Where it answers, such as `http://127.0.0.1:4000`. */
  readonly base: string;
  /** Of an admin. */
  readonly key: string;
  /** Of its process. */
  readonly pid: number;
  /** Make an integration; its id. */
  makeIntegration(name: string): Promise<string>;
  /** Make a user of this address. */
  makePerson(email: string): Promise<void>;
  /** Import the files into an integration; throws with the server's answer where it refuses. */
  upload(integration: string, files: { resources: string; lineages: string }): Promise<void>;
  /** In which step the import in progress is; undefined where none is. */
  stepOfImport(): Promise<string | undefined>;
  /** CPU time of the process until now, in seconds; not that of its database. */
  cpuSeconds(): Promise<number>;
  /** CPU time until now of the process and all that it started, its database included, in seconds. */
  cpuOfAll(): number;
  loopDelay(): Promise<LoopDelay>;
  /** Sample the resident memory until `end`, which answers it in MB. */
  watchMemory(): { end(): { idle: number; peak: number } };
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const loopDelayProgram = new URL('./loop-delay.mjs', import.meta.url).href;
const loopDelay = z.object({ p99: z.number(), max: z.number() });
/** How often memory is looked at. */
const memoryMs = 50;
const made = z.object({ id: z.string() });
const jobs = z.object({
  data: z.object({ jobs: z.object({ nodes: z.array(z.object({ step: z.string().nullable() })) }) }),
});

/** Start the server on a free port and wait until it is ready; a build comes first where one is due. */
export async function startImportServer(options: ImportServerOptions): Promise<ImportServer> {
  const key = options.key ?? `bench-${randomUUID()}`;
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: options.root ?? root,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${loopDelayProgram}`,
      PORT: String(port),
      DATA_DIR: options.dataDir,
      DATABASE_URL: options.databaseUrl ?? '',
      ADMIN_API_KEY: key,
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '0',
    },
  });
  const { pid } = child;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await ready(`${base}/readyz`, ended);
  const headers = { authorization: `Bearer ${key}` };
  const asJson = { ...headers, 'content-type': 'application/json' };
  const rss = async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  };
  return {
    base,
    key,
    pid: pid ?? 0,
    async makeIntegration(name) {
      const body = JSON.stringify({ name, type: 'custom' });
      const url = `${base}/api/v1/integration/integrations`;
      const answer = await fetch(url, { method: 'POST', headers: asJson, body });
      return made.parse(await answered(answer)).id;
    },
    async makePerson(email) {
      const body = JSON.stringify({
        query: 'mutation ($email: String) { createUser(input: { email: $email }) { id } }',
        variables: { email },
      });
      const answer = await fetch(`${base}/graphql`, { method: 'POST', headers: asJson, body });
      await answered(answer);
    },
    async upload(integration, files) {
      const form = new FormData();
      form.set('resources_file', await openAsBlob(files.resources), 'resources.jsonl');
      form.set('lineages_file', await openAsBlob(files.lineages), 'lineages.jsonl');
      const url = `${base}/api/v1/integration/integrations/${integration}/import_jsonl_metadata`;
      await post(url, headers, form);
    },
    async stepOfImport() {
      const query = `{ jobs(kind: "import", states: [running], first: 1) { nodes { step: progressStep } } }`;
      const body = JSON.stringify({ query });
      const answer = await fetch(`${base}/graphql`, { method: 'POST', headers: asJson, body });
      return jobs.parse(await answered(answer)).data.jobs.nodes[0]?.step ?? undefined;
    },
    cpuSeconds: async () => cpuOf(pid ?? 0),
    cpuOfAll: () => cpuBelow(pid ?? 0),
    async loopDelay() {
      const answer = once(child, 'message');
      child.send('loop delay');
      const [said] = await answer;
      return loopDelay.parse(said);
    },
    watchMemory: () => watchMemory(rss),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Sample the resident memory until `end`. */
function watchMemory(rss: () => Promise<number>): { end(): { idle: number; peak: number } } {
  let [idle, peak] = [0, 0];
  const sample = async () => {
    const now = await rss();
    if (idle === 0) idle = now;
    peak = Math.max(peak, now);
  };
  sample();
  const timer = setInterval(sample, memoryMs);
  return {
    end() {
      clearInterval(timer);
      return { idle, peak };
    },
  };
}

/** Send a form, and wait for the answer as long as it takes: `fetch` gives up after five minutes. */
async function post(url: string, headers: Record<string, string>, form: FormData): Promise<void> {
  const body = new Response(form);
  const type = body.headers.get('content-type') ?? '';
  const sending = request(url, { method: 'POST', headers: { ...headers, 'content-type': type } });
  const answering = new Promise<void>((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', async (response) => {
      const said = await text(response);
      if (response.statusCode === 204) resolve();
      else reject(new Error(`The server answered with ${response.statusCode}: ${said}`));
    });
  });
  if (body.body) await pipeline(body.body, sending);
  await answering;
}

async function answered(response: Response): Promise<unknown> {
  const said = await response.text();
  if (!response.ok) throw new Error(`The server answered with ${response.status}: ${said}`);
  return JSON.parse(said);
}

/** Wait until the server is ready; throws where its process ends before. */
async function ready(url: string, ended: Promise<void>): Promise<void> {
  let isEnded = false;
  ended.then(() => {
    isEnded = true;
  });
  for (;;) {
    if (isEnded) throw new Error('The server ended before it was ready.');
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
