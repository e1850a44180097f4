// Sends queries that would cost far more than they look like: `npm run gates -- query-bombs`.
//
// By literals, variables, defaults, fragments, aliases and directives. The server has to refuse each with a
// reason, and its main thread may be at work for 50 ms of its CPU in the meantime, in one task or in many: of five times,
// each with another text, so that nothing of it is remembered, the best counts. `npm test` shows that none of them
// asks the database anything. Linux only.

import { bombs } from '../test/limits/bombs.ts';
import { isMeasurable, longestTask } from '../test/longest-task.ts';
import { startForGate } from './server.ts';

const barMs = 50;
const times = 5;

if (!isMeasurable) throw new Error('CPU time of a thread is measured on Linux only.');
await using server = await startForGate();
await send('{ viewer { id } }');
const faults: string[] = [];
const dearest = { ms: 0, allMs: 0 };
for (const [name, query, variables] of bombs) {
  const longest: number[] = [];
  const all: number[] = [];
  let code = '';
  for (let n = 0; n < times; n += 1) {
    const work = () => send(query + ' '.repeat(n), variables);
    const { value, ms, allMs } = await longestTask(server.started, work);
    longest.push(ms);
    all.push(allMs);
    code = value;
  }
  const [ms, allMs] = [Math.min(...longest), Math.min(...all)];
  dearest.ms = Math.max(dearest.ms, ms);
  dearest.allMs = Math.max(dearest.allMs, allMs);
  console.log(
    `${name}: ${code}, ${allMs.toFixed(1)} ms of CPU, the longest task ${ms.toFixed(1)} ms`,
  );
  if (code !== 'BAD_REQUEST') faults.push(`${name} was answered ${code}`);
  if (allMs > barMs) faults.push(`${name} took ${allMs.toFixed(0)} ms of CPU`);
}
for (const fault of faults) console.log(fault);
console.log(
  `${bombs.length} bombs, ${times} times each: the dearest took ${dearest.allMs.toFixed(1)} ms of CPU, ` +
    `${dearest.ms.toFixed(1)} ms in one task at most, ${faults.length} faults`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

/** The code of the refusal, or the status. */
async function send(query: string, variables: object = {}): Promise<string> {
  const response = await fetch(`${server.address}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.viewerKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query, variables }),
  });
  const { errors } = await response.json();
  return errors?.[0]?.extensions?.code ?? String(response.status);
}
