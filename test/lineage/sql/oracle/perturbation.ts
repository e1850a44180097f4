// The tables of the oracle, and the same with one column after the other changed.

import type { KnownTable } from '../../../../src/lineage/sql/answer.ts';
import { tables } from './query.ts';
import { randomOf } from './random.ts';

/** How a column is changed. */
export const ways = ['null', 'fresh', 'shuffled', 'constant'] as const;
const rowsInTable = 12;

/** The tables as the catalog knows them. */
export const known: KnownTable[] = Object.entries(tables).map(([name, columns]) => ({
  path: [name],
  columns: Object.keys(columns),
}));

/** A column that is changed. */
export interface Input {
  readonly table: string;
  readonly column: string;
  readonly type: 'int' | 'text';
}

/** Every column of the tables. */
export const inputs: readonly Input[] = Object.entries(tables).flatMap(([table, columns]) =>
  Object.entries(columns).map(([column, type]) => ({ table, column, type })),
);

/** The values of a column, the same in each schema but where it is the one that changes. */
function valuesOf({ table, column, type }: Input): (number | string | null)[] {
  const random = randomOf(
    [...`${table}.${column}`].reduce((sum, char) => sum * 31 + char.charCodeAt(0), 7),
  );
  return Array.from({ length: rowsInTable }, () => {
    if (random.chance(0.1)) return null;
    return type === 'int' ? random.below(6) : String.fromCharCode(106 + random.below(6));
  });
}

function changed(
  values: readonly (number | string | null)[],
  { type }: Input,
  way: (typeof ways)[number],
) {
  switch (way) {
    case 'null':
      return values.map(() => null);
    case 'fresh':
      return values.map((_value, i) => (type === 'int' ? 100 + 7 * i : `z${i}`));
    case 'shuffled':
      return values.map((_value, i) => values[(i + 5) % values.length] ?? null);
    case 'constant':
      return values.map(() => (type === 'int' ? 2 : 'n'));
  }
}

/** What makes a schema for the tables as they are, and one for each change of a column. */
export function schemaStatements(): string[] {
  const literal = (value: number | string | null) =>
    value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value}'`;
  const variants = [
    { name: 'oracle', of: null, way: null },
    ...inputs.flatMap((of) => ways.map((way) => ({ name: schemaOf(of, way), of, way }))),
  ];
  return variants.map(({ name, of, way }) => {
    const made = Object.entries(tables).map(([table, columns]) => {
      const lists = Object.entries(columns).map(([column, type]) => {
        const input = { table, column, type };
        const values = valuesOf(input);
        return of?.table === table && of.column === column && way
          ? changed(values, input, way)
          : values;
      });
      const rows = Array.from(
        { length: rowsInTable },
        (_, i) => `(${lists.map((list) => literal(list[i] ?? null)).join()})`,
      );
      const defined = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
      return `create table ${name}.${table} (${defined.join()}); insert into ${name}.${table} values ${rows.join()};`;
    });
    return `create schema ${name}; ${made.join(' ')}`;
  });
}

/** The schema in which a column is changed in a way. */
export function schemaOf({ table, column }: Input, way: string): string {
  return `oracle_${table}_${column}_${way}`;
}
