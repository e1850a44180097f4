// Lets the server run without its bounds, for the negative control of gates:
// `node --import ./gates/without-bounds.mjs --import tsx src/main.ts`.
//
// The sources are read with other numbers, so large that nothing is ever cut, refused or done in turns.

import { register } from 'node:module';

/** Where the bounds are: what stands there, and what is read instead. */
const changes = [
  ['src/http/body.ts', 'const patience = 10_000;', 'const patience = 1e9;'],
  ['src/http/body.ts', 'const longBytes = 50_000;', 'const longBytes = 1e9;'],
  ['src/limits/connections.ts', 'headersTimeout: 5_000,', 'headersTimeout: 0,'],
  ['src/limits/connections.ts', 'const lingerMs = 1_000;', 'const lingerMs = 1e9;'],
  ['src/limits/pace.ts', 'export const maxFields = 500_000;', 'export const maxFields = 1e15;'],
  ['src/limits/pace.ts', 'const fieldsPerTurn = 1_500;', 'const fieldsPerTurn = 1e15;'],
  ['src/limits/bounds.ts', 'const threadsPerKey = 1;', 'const threadsPerKey = 100;'],
  [
    'src/limits/bounds.ts',
    'Math.max(1, Math.floor(database.pool.options.max / 2))',
    'database.pool.options.max',
  ],
];

const hooks = `
const changes = ${JSON.stringify(changes)};
export async function load(url, context, nextLoad) {
  const result = await nextLoad(url, context);
  const own = changes.filter(([path]) => url.split('?')[0].endsWith('/' + path));
  if (own.length === 0 || result.source == null) return result;
  let source = String(result.source);
  for (const [path, from, to] of own) {
    if (!source.includes(from)) throw new Error(path + ' does not hold: ' + from);
    source = source.replace(from, to);
  }
  return { ...result, source };
}`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
