// Looks for the dearest request of a viewer, and sends it 50 times at once: `npm run gate:dearest`.
//
// A search over the schema (fields, arguments, nesting; half of the candidates like the dearest so far) and
// over the REST API, on a catalog of 20,000 resources; CPU time of the server and its database decides. The
// dearest of them, and requests that once occupied the server, are then sent 50 at once by one key of a
// viewer, again and again until others have asked 200 times of each kind. Meanwhile `/healthz` has to answer
// within 200 ms, and others within 5 times of what they need alone, none with an error. `--candidates N`
// (default 300), `--seed N` (1), `--at-once N` (50), `--dearest N` (5), `--only WORDS` (of a request's name).

import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { buildSchema } from 'graphql';
import { packagedUrl } from '../src/database/attach.ts';
import { isMeasurable, longestTask } from '../test/longest-task.ts';
import { alone, type Timing } from './beside.ts';
import { fillForDearest } from './dearest/data.ts';
import { knownRequests, type Request } from './dearest/known.ts';
import { cpuMsOf, restRequests } from './dearest/place.ts';
import { type Run, runAtOnce, send } from './dearest/run.ts';
import { searchDearest, type Tried } from './dearest/search.ts';
import { placesOf, valuesOf } from './dearest/values.ts';
import { startForGate } from './server.ts';

const healthMs = 200;
const slower = 5;
/** Others' requests of a few milliseconds are not to be compared by fractions of a busy machine's turns. */
const leastMs = 10;
/** As long as it takes to ask 200 times of each kind. */
const aloneMs = 13_000;
/** What may be answered: an answer, or a refusal that says why. */
const fineAnswers =
  /^(200( (BAD_REQUEST|FORBIDDEN|NOT_FOUND|TIMEOUT|TOO_MANY_REQUESTS|UNPROCESSABLE))?|(400|403|404|413|422|429|504)( \w+)?)$/;

/** What the answers of a request are that becomes what it should. */
const comesTo = { answered: /^200$/, refused: /^(200|400|413) (BAD_REQUEST|PAYLOAD_TOO_LARGE)$/ };

const { values: given } = parseArgs({
  options: {
    candidates: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '50' },
    dearest: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
  },
});
const count = Number(given.dearest);

await using server = await startForGate();
const { address, key, viewerKey, started, dataDir } = server;
const filled = await fillForDearest(packagedUrl(dataDir));
const cpuMs = () => cpuMsOf(started, dataDir);

const found = await searchDearest({
  schema: buildSchema(readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8')),
  ...{ values: valuesOf(filled), seed: Number(given.seed), candidates: Number(given.candidates) },
  attempt: (text) => attempt(text, { method: 'POST', path: '/graphql', body: { query: text } }),
});
const read: Tried[] = [];
for (const path of await restRequests(address, placesOf(filled))) {
  read.push(await attempt(path, { method: 'GET', path }));
}
read.sort((a, b) => b.cpuMs - a.cpuMs);
console.log(`${found.length} queries and ${read.length} paths tried; the dearest of each:`);
for (const { text, cpuMs: cost, ms, code } of [...found.slice(0, count), ...read.slice(0, 2)]) {
  console.log(
    `  ${cost} ms of CPU, ${ms.toFixed(0)} ms, ${code ?? 'answered'}: ${text.slice(0, 300)}`,
  );
}

const requests: Request[] = [
  ...knownRequests({ table: filled.tables[2] ?? '', schema: filled.schemas[0] ?? '' }),
  ...found.slice(0, count).map(({ text }, n) => queried(`found ${n + 1}`, text)),
  ...read
    .slice(0, 2)
    .map(({ text }) => ({ name: `REST ${text}`, method: 'GET', path: text }) as const),
].filter(({ name }) => name.includes(given.only));
const options = { address, key: viewerKey, otherKey: key, atOnce: Number(given['at-once']) };
let missed = 0;
for (const request of requests) {
  const before = await alone(address, key, aloneMs);
  const work = () => runAtOnce(options, request);
  const { value: run, ms } = isMeasurable
    ? await longestTask(started, work)
    : { value: await work(), ms: 0 };
  const faults = faultsOf(run, before, ms);
  missed += faults.length;
  console.log(inWords(run, before, ms, faults));
  // What is never cut would take hours; one that held the main thread is enough.
  if (process.env.WITHOUT && ms > healthMs) break;
}
const [load = 0] = loadavg();
console.log(
  `${requests.length} requests, ${given['at-once']} at once each: ${missed} bars missed, load ${load.toFixed(1)} on ${availableParallelism()} cores`,
);
process.exitCode = missed === 0 ? 0 : 1;

function queried(name: string, query: string): Request {
  return { name, method: 'POST', path: '/graphql', body: JSON.stringify({ query }) };
}

async function attempt(
  text: string,
  { method, path, body }: { method: 'GET' | 'POST'; path: string; body?: object },
): Promise<Tried> {
  const [cpu, began] = [await cpuMs(), performance.now()];
  const request = { name: text, method, path, ...(body ? { body: JSON.stringify(body) } : {}) };
  const answer = await send(address, viewerKey, request);
  const ms = performance.now() - began;
  return { text, cpuMs: (await cpuMs()) - cpu, ms, code: answer === '200' ? null : answer };
}

/** Which bars were missed, in words. */
function faultsOf(run: Run, before: ReadonlyMap<string, Timing>, taskMs: number): string[] {
  const faults = [...run.failures.slice(0, 3)];
  if (taskMs > healthMs) faults.push(`the main thread did one thing for ${taskMs.toFixed(0)} ms`);
  for (const [name, { p99, max }] of run.others) {
    if (name === '/healthz') {
      if (max > healthMs) faults.push(`/healthz took ${max.toFixed(0)} ms`);
      continue;
    }
    const usual = Math.max(leastMs, before.get(name)?.p99 ?? 0);
    if (p99 > slower * usual) {
      faults.push(`${name} took ${p99.toFixed(0)} ms, alone ${usual.toFixed(0)}`);
    }
  }
  for (const answer of run.answers.keys()) {
    if (!fineAnswers.test(answer)) faults.push(`It was answered ${answer}`);
  }
  const { becomes } = run.request;
  const meant = becomes && [...run.answers.keys()].some((answer) => comesTo[becomes].test(answer));
  if (meant === false) faults.push(`It was never ${becomes}`);
  return faults;
}

function inWords(
  run: Run,
  before: ReadonlyMap<string, Timing>,
  taskMs: number,
  faults: readonly string[],
): string {
  const answers = [...run.answers].map(([answer, times]) => `${times} x ${answer}`).join(', ');
  const others = [...run.others].map(
    ([name, { p99, max }]) =>
      `${name} p99 ${p99.toFixed(0)} (alone ${before.get(name)?.p99.toFixed(0)}), most ${max.toFixed(0)} ms`,
  );
  return [
    `${run.request.name}: ${run.bursts} bursts, ${answers}, the slowest within ${(run.ms / 1000).toFixed(1)} s`,
    `  ${others.join('; ')}; longest task ${taskMs.toFixed(0)} ms of CPU`,
    ...faults.map((fault) => `  MISSED: ${fault}`),
    ...(faults.length > 0 ? [`  It was: ${run.request.body ?? run.request.path}`] : []),
  ].join('\n');
}
