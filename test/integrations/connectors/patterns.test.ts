// Patterns of databases and schemas.

import { expect, test } from 'vitest';
import { describeSchema, describeTable } from '../../../src/integrations/connectors/catalog.ts';
import {
  chooseSchemas,
  chooseSchemasOfOne,
  onlyChosen,
} from '../../../src/integrations/connectors/patterns.ts';

test('a pattern is a database or a schema of one, with stars for any letters and without regard to case', () => {
  for (const [pattern, database, schema, fits] of [
    ['SALES', 'sales', 'any', true],
    ['SALES', 'SALES2', 'any', false],
    ['SALES.PUBLIC', 'SALES', 'PUBLIC', true],
    ['SALES.PUBLIC', 'SALES', 'PUBLIC2', false],
    ['*.PUBLIC', 'X', 'public', true],
    ['*_DEV', 'X_DEV', 's', true],
    ['*_DEV', 'DEV', 's', false],
    ['A*B*C.S', 'AxBxC', 'S', true],
    ['A*B*C', 'AC', 'S', false],
    ['A*A', 'A', 'S', false],
    ['AB*BA', 'ABA', 'S', false],
    ['A*B*A', 'ABA', 'S', true],
    ['*', '', '', true],
    ['a.b.c', 'a', 'b.c', true],
    ['a(+)', 'aaa', 's', false],
  ] as const) {
    const choice = chooseSchemas([pattern], []);
    expect(choice.schema(database, schema), `${pattern} ${database}.${schema}`).toBe(fits);
    expect(chooseSchemas([], [pattern]).schema(database, schema)).toBe(!fits);
  }
});

test('a database is asked for where one of its schemas may be read', () => {
  expect(chooseSchemas(['A.X'], []).database('a')).toBe(true);
  expect(chooseSchemas(['A.X'], []).database('b')).toBe(false);
  expect(chooseSchemas([], ['A.X']).database('a')).toBe(true);
  expect(chooseSchemas([], ['A', 'B.*']).database('a')).toBe(false);
  expect(chooseSchemas([], ['B.*']).database('b')).toBe(false);
  expect(chooseSchemas([], []).database('b')).toBe(true);
});

test('in a source of one database a name is a schema, and its tables and columns go with it', async () => {
  const choice = chooseSchemasOfOne(['public', '*.st%.ging_*'], ['other.*']);
  expect(choice.schema('shop', 'PUBLIC')).toBe(true);
  expect(choice.schema('shop', 'private')).toBe(false);
  async function* source() {
    for (const schema of ['public', 'private', 'st%.ging_1']) {
      yield* describeSchema({ database: 'shop', schema });
      const table = { database: 'shop', schema, table: 'a.b/c', nativeType: 'table' };
      yield* describeTable(table, [{ name: 'x.y', type: 'int', position: 1 }], () => {});
    }
  }
  const keys: string[] = [];
  for await (const piece of onlyChosen(source(), choice)) {
    if (piece.is === 'resource') keys.push(piece.resource.key);
  }
  expect(keys.filter((key) => key.startsWith('table:'))).toEqual([
    'table:shop.public.a%2Eb%2Fc',
    'table:shop.st%25%2Eging_1.a%2Eb%2Fc',
  ]);
  expect(keys.some((key) => key.includes('private'))).toBe(false);
  expect(keys.filter((key) => key.startsWith('column:'))).toHaveLength(2);
});
