// Patterns of databases and schemas.

import { expect, test } from 'vitest';
import { chooseSchemas } from '../../../src/integrations/connectors/patterns.ts';

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
