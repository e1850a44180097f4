// Runner of benches: `npm run bench -- NAME [options of its own]`. Without a name it lists them.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildOrExit } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const benches = {
  backup: 'a backup of a million resources during writes, and its restore',
  cells: 'a workspace that moves between two servers while it is written to',
  explorer: 'pages in a browser: bytes, first paint, a picture that is moved, memory, long lists',
  failovers: 'PostgreSQL under Patroni whose leader is killed, frozen and cut off under load',
  hub: 'what a change of a column reaches that 5,000 and 50,000 columns are made from',
  import: 'a million resources and two million lines of lineage',
  'import-beside': 'requests of others during an import',
  'import-shared': 'what it costs that several sources describe one thing',
  lineage: 'lineage from SQL: sets of cases that the caller has',
  'lineage-memory': 'bytes an edge, a large import, closures in memory and in the database',
  monitors: 'monitors that are due at one instant, over workers that are killed',
  openlineage: 'events of OpenLineage, stored and through to lineage',
  requests: 'CPU of single requests, compared with PostGraphile and Fastify',
  search: 'searches and lists among ten thousand and a million resources',
  sources: 'syncs of 10,000, 30,000 and 100,000 tables of a warehouse',
  start: 'a first start and a restart',
  thresholds: 'learned thresholds on real series that the caller has',
  year: 'a year and more of an active workspace, under a clock that is moved',
};

const [name = '', ...options] = process.argv.slice(2);
if (Object.hasOwn(benches, name)) {
  await buildOrExit();
  const args = ['--import', 'tsx', `bench/${name}.ts`, ...options];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  const width = Math.max(...Object.keys(benches).map((one) => one.length));
  for (const [one, what] of Object.entries(benches)) console.log(`${one.padEnd(width)}  ${what}`);
  process.exitCode = name === '' ? 0 : 2;
}
