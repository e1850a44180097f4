// Reads the case files next to it, and writes lineage down the way they do.
import { readdirSync, readFileSync } from 'node:fs';
import type {
  ColumnName,
  KnownTable,
  SqlLineage,
  StatementLineage,
} from '../../../src/lineage/sql/answer.ts';
import { finish, prepare } from '../../../src/lineage/sql/script.ts';

/** A statement and what is expected of it; `cases/README.md` says how they are written. */
export interface Case {
  /** File and line, to find it again. */
  readonly where: string;
  readonly dialect: string;
  readonly known: readonly KnownTable[];
  readonly defaultDatabase: string | null;
  readonly defaultSchema: string | null;
  readonly sql: string;
  /** One line for each entry of the answer. */
  readonly expected: readonly string[];
}

/** All cases of all files. */
export function readCases(): Case[] {
  const folder = new URL('./cases/', import.meta.url);
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = all.filter((name) => name.endsWith('.txt'));
  return files.sort().flatMap((name) => {
    return parseCases(name, readFileSync(new URL(name, folder), 'utf8'));
  });
}

function parseCases(file: string, text: string): Case[] {
  const cases: Case[] = [];
  let dialect = 'generic';
  let known: KnownTable[] = [];
  let defaults: (string | null)[] = [null, null];
  let sql: string[] = [];
  let start = 0;
  text.split('\n').forEach((line, i) => {
    const [word = '', ...rest] = line.split(' ');
    if (line.startsWith('=> ')) {
      const expected = line.slice(3).trim();
      const last = cases.at(-1);
      if (sql.length === 0 && last) {
        cases[cases.length - 1] = { ...last, expected: [...last.expected, expected] };
        return;
      }
      cases.push({
        where: `${file}:${start}`,
        dialect,
        known,
        defaultDatabase: defaults[0] ?? null,
        defaultSchema: defaults[1] ?? null,
        sql: sql.join('\n'),
        expected: [expected],
      });
      sql = [];
    } else if (sql.length > 0) {
      sql.push(line);
    } else if (word === 'dialect') {
      dialect = rest.join(' ');
      known = [];
      defaults = [null, null];
    } else if (word === 'default') {
      const parts = rest.join('').split('.');
      defaults = parts.length > 1 ? parts : [null, parts[0] ?? null];
    } else if (word === 'known') {
      known = [...known, knownTable(rest.join(' '))];
    } else if (line.trim() !== '' && !line.startsWith('#')) {
      start = i + 1;
      sql = [line];
    }
  });
  return cases;
}

/** `shop.orders (id, amount NUMERIC)`, or `shop."a.b" (id)` where a name has a dot. */
function knownTable(text: string): KnownTable {
  const [, name = '', list = ''] = /^(\S+) \((.*)\)$/.exec(text) ?? [];
  const columns = splitList(list).map((column) => column.trim().split(' '));
  return {
    path: (name.match(/"[^"]+"|[^."]+/g) ?? []).map((part) => part.replaceAll('"', '')),
    columns: columns.map(([column = '']) => column),
    types: columns.map(([, ...type]) => type.join(' ') || null),
  };
}

/** The parts between commas that stand in no brackets. */
function splitList(list: string): string[] {
  let depth = 0;
  const parts = [''];
  for (const char of list) {
    if (char === '<' || char === '(') depth++;
    if (char === '>' || char === ')') depth--;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}

/** The engine's answer to a case: it knows no more tables than it asks for. */
export function traceCase(one: Case): SqlLineage {
  const { sql, dialect, defaultDatabase, defaultSchema } = one;
  const prepared = prepare({ sql, dialect, defaultDatabase, defaultSchema });
  const asked = one.known.filter(({ path }) => {
    return prepared.names.some((name) => endsAlike(path, name));
  });
  return finish(prepared, asked);
}

/** Whether one of two paths is the ending of the other; parts left out and templates fit all. */
function endsAlike(path: readonly string[], name: readonly string[]): boolean {
  const shared = Math.min(path.length, name.length);
  return path.slice(-shared).every((part, i) => {
    const asked = name.at(i - shared) ?? '';
    const isOpen = asked === '' || /[\ua500-\ua52f]/.test(asked);
    return isOpen || asked.toLowerCase() === part.toLowerCase();
  });
}

/** An answer as case files write it, one line for each entry. */
export function written(lineage: SqlLineage): string[] {
  const errors = lineage.errors.map(
    ({ line, column, message }) => `error ${line}:${column} ${message}`,
  );
  return [...lineage.statements.map(writtenStatement), ...errors];
}

const VERBS: Record<StatementLineage['kind'], string> = {
  SELECT: '',
  INSERT: 'insert',
  CREATE_TABLE: 'create',
  CREATE_VIEW: 'view',
  UPDATE: 'update',
  MERGE: 'merge',
  DELETE: 'delete',
  COPY: 'copy',
  ALTER_TABLE: 'alter',
  DROP: 'drop',
  OTHER: 'other',
};

function writtenStatement(statement: StatementLineage): string {
  const outputs = statement.outputs.map(({ column, from, sources, unresolved }) => {
    const named = sources.map(nameOf).sort();
    const missing = unresolved.map(({ name }) => `?${name}`).sort();
    const all = [...named, ...missing];
    return `${column}: ${all.length > 0 ? all.join(' + ') : from.toLowerCase()}`;
  });
  const head = [VERBS[statement.kind], statement.target?.name].filter(Boolean).join(' ');
  const body = outputs.join('; ');
  const parts = [head && body ? `${head} <- ${body}` : head || body || 'nothing'];
  const reads = statement.sources.map(({ name }) => name).sort();
  parts.push(`reads ${reads.join(', ')}`);
  for (const use of ['FILTER', 'JOIN', 'GROUP_BY', 'SORT', 'WINDOW', 'CONDITIONAL'] as const) {
    const columns = statement.indirect.filter(({ uses }) => uses.includes(use));
    const names = columns.map(nameOf).sort();
    parts.push(`${use === 'GROUP_BY' ? 'group' : use.toLowerCase()} ${names.join(', ')}`);
  }
  const uses = statement.outputs.map(({ column, sources }) => {
    const named = sources.map((source) => {
      return `${nameOf(source)} ${source.uses.join('+').toLowerCase()}`;
    });
    return `${column}: ${named.sort().join(', ')}`;
  });
  parts.push(`uses ${uses.join('; ')}`);
  const fields = new Map<string, string[]>();
  for (const { source, target } of statement.pairs) {
    if (!target.fields) continue;
    const name = [target.column, ...target.fields].join('.');
    fields.set(name, [...(fields.get(name) ?? []), nameOf(source)].sort());
  }
  parts.push(
    `fields ${[...fields].map(([name, all]) => `${name}: ${all.join(' + ')}`).join('; ')}`,
  );
  const unresolved = statement.unresolved.map(({ name }) => name).sort();
  parts.push(`unresolved ${unresolved.join(', ')}`);
  const notes = statement.diagnostics.map(({ code }) => code);
  parts.push(`notes ${[...new Set(notes)].sort().join(', ')}`);
  return parts.join(' | ');
}

function nameOf({ table, column, fields = [] }: ColumnName): string {
  return [table.name, column, ...fields].join('.');
}

/**
 * The part of a written line that an expectation speaks of: its outputs, and those of the clauses
 * that it names. An expected error may be the start of the whole one.
 */
export function asFarAsExpected(line: string | undefined, expected: string): string {
  if (line === undefined) return '(nothing)';
  if (expected.startsWith('error ')) return line.startsWith(expected) ? expected : line;
  const [body = '', ...clauses] = line.split(' | ');
  const wanted = expected
    .split(' | ')
    .slice(1)
    .map((clause) => clause.split(' ')[0]);
  const kept = wanted.map((word) => clauses.find((clause) => clause.split(' ')[0] === word) ?? '');
  return [body, ...kept.map((clause) => clause.trim())].join(' | ');
}
