// Sends queries that would cost far more than they look like: `npm run gate:query-bombs`.
//
// By literals, variables, defaults, fragments, aliases and directives. The server has to refuse each with a
// reason, and its main thread may not do anything for longer than 50 ms of its CPU meanwhile: of five times, each
// with another text, so that nothing of it is remembered, the best counts. `npm test` shows that none of them
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
let dearest = 0;
for (const [name, query, variables] of bombs) {
  const measured: number[] = [];
  let code = '';
  for (let n = 0; n < times; n += 1) {
    const work = () => send(query + ' '.repeat(n), variables);
    const { value, ms } = await longestTask(server.started, work);
    measured.push(ms);
    code = value;
  }
  const ms = Math.min(...measured);
  dearest = Math.max(dearest, ms);
  console.log(`${name}: ${code}, ${ms.toFixed(1)} ms of CPU`);
  if (code !== 'BAD_REQUEST') faults.push(`${name} was answered ${code}`);
  if (ms > barMs) faults.push(`${name} took ${ms.toFixed(0)} ms of CPU`);
}
for (const fault of faults) console.log(fault);
console.log(
  `${bombs.length} bombs, ${times} times each: the dearest took ${dearest.toFixed(1)} ms of CPU, ${faults.length} faults`,
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
