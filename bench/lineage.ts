// Scores and times the SQL lineage engine on sets of cases: `npm run bench -- lineage --cases DIR`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { KnownTable } from '../src/lineage/sql/answer.ts';
import { dialectNamed, findDialect } from '../src/lineage/sql/dialect.ts';
import { parseText } from '../src/lineage/sql/parser.ts';
import { finish, prepare } from '../src/lineage/sql/script.ts';
import { printHostile } from './lineage/hostile.ts';
import { printRefusals, type Query } from './lineage/refusals.ts';
import { type Case, type Score, scoreOf } from './lineage/score.ts';
import { compareWithSqlglot } from './lineage/sqlglot.ts';

const SETS = [
  'tpch',
  'tpcds',
  'datahub',
  'sqllineage_column',
  'sqlglot_lineage',
  'sqlglot_qualify',
  'sqllineage_table',
];

const { values: options } = parseArgs({
  options: {
    /** A folder with the case sets as JSON files. */
    cases: { type: 'string' },
    /** Print the cases that are not right, of one set or of all. */
    wrong: { type: 'string' },
    /** A Python that has sqlglot, for the comparison of speed. */
    python: { type: 'string', default: 'python3' },
  },
});

await main();

async function main(): Promise<void> {
  if (!options.cases) {
    console.error('Say where the case sets are: npm run bench -- lineage --cases DIR');
    process.exitCode = 2;
    return;
  }
  const all: Scored[] = [];
  for (const set of SETS) {
    const scored = load(set).map((one) => ({ set, one, score: scoreOf(one, trace(one)) }));
    print(set, scored);
    all.push(...scored);
  }
  print('all', all);
  printInvalid();
  const queries: Query[] = JSON.parse(readFileSync(join(options.cases, 'dialects.json'), 'utf8'));
  printRefusals(queries, options.wrong === 'dialects');
  printSpeed();
  await printHostile();
}

interface Scored {
  set: string;
  one: Case;
  score: Score;
}

function load(set: string): Case[] {
  const cases: Case[] = JSON.parse(readFileSync(join(options.cases ?? '', `${set}.json`), 'utf8'));
  return cases.filter((one) => !one.excluded);
}

function trace(
  one: Pick<Case, 'sql' | 'dialect' | 'schema' | 'default_database' | 'default_schema'>,
) {
  const prepared = prepare({
    sql: one.sql,
    dialect: findDialect(one.dialect)?.name ?? 'generic',
    defaultDatabase: one.default_database,
    defaultSchema: one.default_schema,
  });
  return finish(prepared, knownTables(one.schema ?? {}));
}

function knownTables(schema: Record<string, Record<string, string>>): KnownTable[] {
  return Object.entries(schema).map(([name, columns]) => ({
    path: name.split('.').map((part) => part.replace(/^["`[]|["`\]]$/g, '')),
    columns: Object.keys(columns),
    types: Object.values(columns),
  }));
}

function print(set: string, scored: readonly Scored[]): void {
  const withEdges = scored.filter(({ score }) => score.exact !== null);
  const exact = withEdges.filter(({ score }) => score.exact).length;
  const sum = (field: 'right' | 'wrong' | 'missed') =>
    scored.reduce((total, { score }) => total + score[field], 0);
  const [right, wrong, missed] = [sum('right'), sum('wrong'), sum('missed')];
  const share = (part: number, whole: number) =>
    whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}%`;
  const count = (field: 'sources' | 'targets') => scored.filter(({ score }) => score[field]).length;
  console.log(
    set.padEnd(18),
    `exact ${exact}/${withEdges.length} ${share(exact, withEdges.length)}`.padEnd(22),
    `precision ${share(right, right + wrong)} recall ${share(right, right + missed)}`.padEnd(34),
    `sources ${share(count('sources'), scored.length)}`.padEnd(16),
    `targets ${share(count('targets'), scored.length)}`,
  );
  if (options.wrong !== set && options.wrong !== 'all') return;
  for (const { one, score } of scored) {
    if (score.exact !== false && score.sources && score.targets) continue;
    console.log('---', one.id, one.dialect, JSON.stringify(score));
    console.log(one.sql);
  }
}

/** Strings that must not give lineage, and must be refused when they are marked as errors. */
function printInvalid(): void {
  const text = readFileSync(join(options.cases ?? '', 'invalid.json'), 'utf8');
  const cases: { sql: string; dialect: string; expect: string }[] = JSON.parse(text);
  let wrong = 0;
  for (const one of cases) {
    const { statements, errors } = trace(one);
    const edges = errors.length > 0 ? 0 : statements.flatMap(({ pairs }) => pairs).length;
    const placed = errors.every(({ line, column }) => line >= 1 && column >= 1);
    const isRight = one.expect !== 'error' || (errors.length > 0 && placed);
    if (isRight && edges === 0) continue;
    wrong++;
    console.log('not refused:', JSON.stringify(one.sql), `edges ${edges}`);
  }
  console.log(`invalid            refused as wanted ${cases.length - wrong}/${cases.length}`);
}

function wallTime(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** CPU of a bare parse, of parse and lineage, and of sqlglot, over the 99 queries of TPC-DS. */
function printSpeed(): void {
  const cases = load('tpcds');
  const time = (work: (one: Case) => void) => {
    const start = process.cpuUsage();
    for (const one of cases) work(one);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  const generic = dialectNamed('generic');
  const parse = (one: Case) => parseText(one.sql, generic);
  const best = { parse: Number.POSITIVE_INFINITY, lineage: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 12; round++) {
    best.parse = Math.min(best.parse, time(parse));
    best.lineage = Math.min(best.lineage, time(trace));
  }
  // The best of several rounds: other programs on the machine hold up single queries.
  const slowest = Math.max(
    ...cases.map((one) => Math.min(...Array.from({ length: 5 }, () => wallTime(() => trace(one))))),
  );
  const ratio = (best.lineage / best.parse).toFixed(2);
  console.log(
    `speed              TPC-DS parse ${best.parse.toFixed(0)} ms CPU,`,
    `parse and lineage ${best.lineage.toFixed(0)} ms CPU (${ratio} times),`,
    `slowest query ${slowest.toFixed(1)} ms`,
  );
  compareWithSqlglot(options.python, cases, best.lineage);
}
