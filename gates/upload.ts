// Uploads what is far larger than the server may keep in memory: `npm run gates -- upload`.
//
// A file of 500 MB, which is imported, may cost the server 150 MB more memory than it had after a small import;
// a file that is one line of 200 MB has to be refused by its line within 2 s. `--megabytes N` (default 500).

import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { availableParallelism, loadavg } from 'node:os';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { clientOf } from './edits/client.ts';
import { type GateServer, startForGate } from './server.ts';
import { ofTime } from './times.ts';

const moreMb = 150;
const refusedMs = 2_000;
const lineMb = 200;
/** How long the text of each table is. */
const textBytes = 50_000;
const boundary = 'edge-of-the-form';
const sampleMs = 20;

const { values: given } = parseArgs({ options: { megabytes: { type: 'string', default: '500' } } });
const megabytes = Number(given.megabytes);

await using server = await startForGate();
const { rest } = clientOf(server.address, server.key);
const made = await rest('POST', '/integration/integrations', { type: 'custom', name: 'Large' });
const path = `/api/v1/integration/integrations/${made.data.id}/import_jsonl_metadata?stale=false`;

// What a first import loads is no matter of its size.
await upload(server, tablesOf(2), 'small');
const large = await upload(server, tablesOf(megabytes), `${megabytes} MB`);
const line = await upload(server, oneLine(lineMb), `a line of ${lineMb} MB`);
const faults = [
  ...(large.status === 204 ? [] : [`It was answered ${large.status}: ${large.said.slice(0, 300)}`]),
  ...(large.peakMb - large.beforeMb <= moreMb ? [] : [`It cost more than ${moreMb} MB.`]),
  ...(line.status === 400 && /line 1\b/.test(line.said) ? [] : [`${line.status}: ${line.said}`]),
  ...(line.peakMb - line.beforeMb <= moreMb ? [] : [`The line cost more than ${moreMb} MB.`]),
  ...ofTime(
    line.ms <= refusedMs ? [] : [`The line was refused only after ${line.ms.toFixed(0)} ms.`],
  ),
];
for (const fault of faults) console.log(fault);
const [load = 0] = loadavg();
console.log(
  `${megabytes} MB: memory ${large.beforeMb.toFixed(0)} MB, at most ${(large.peakMb - large.beforeMb).toFixed(0)} MB ` +
    `more, imported in ${(large.ms / 1000).toFixed(0)} s; a line of ${lineMb} MB: refused after ` +
    `${(line.ms / 1000).toFixed(1)} s, ${(line.peakMb - line.beforeMb).toFixed(0)} MB more; ` +
    `load ${load.toFixed(1)} on ${availableParallelism()} cores`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

/** Tables with long texts, so many megabytes of them. */
function* tablesOf(count: number): Generator<string> {
  const each = Math.ceil((count * 1e6) / textBytes);
  for (let n = 0; n < each; n += 1) {
    const description = `${n} `.repeat(textBytes).slice(0, textBytes);
    yield `${JSON.stringify({ entity_type: 'table', databuilder_id: `t${n}`, title: `t${n}`, description })}\n`;
  }
}

/** A line that never ends. */
function* oneLine(count: number): Generator<string> {
  yield '{"title":"';
  for (let n = 0; n < count; n += 1) yield 'x'.repeat(1e6);
}

interface Uploaded {
  readonly status: number;
  readonly said: string;
  readonly ms: number;
  readonly beforeMb: number;
  readonly peakMb: number;
}

/** Send a file as it is made, and watch the server's memory until the answer. */
async function upload(
  { address, key, started }: GateServer,
  content: Iterable<string>,
  name: string,
): Promise<Uploaded> {
  const beforeMb = memoryMb(started.child.pid);
  let peakMb = beforeMb;
  const watching = setInterval(() => {
    peakMb = Math.max(peakMb, memoryMb(started.child.pid));
  }, sampleMs);
  const began = performance.now();
  try {
    const sending = request(`${address}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
    });
    const answering = new Promise<{ status: number; said: string }>((resolve, reject) => {
      sending.once('error', reject);
      sending.once('response', async (response) => {
        resolve({ status: response.statusCode ?? 0, said: await text(response) });
      });
    });
    // Who is refused before all is sent finds the connection closed.
    await pipeline(Readable.from(formOf(content)), sending).catch(() => {});
    const answer = await answering;
    const ms = performance.now() - began;
    console.log(`${name}: ${answer.status} after ${(ms / 1000).toFixed(1)} s`);
    return { ...answer, ms, beforeMb, peakMb };
  } finally {
    clearInterval(watching);
  }
}

function* formOf(content: Iterable<string>): Generator<string> {
  yield `--${boundary}\r\nContent-Disposition: form-data; name="resources_file"; filename="r.jsonl"\r\n\r\n`;
  yield* content;
  yield `\r\n--${boundary}--\r\n`;
}

function memoryMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
