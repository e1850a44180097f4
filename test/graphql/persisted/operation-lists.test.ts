// The files that list operations: what is taken, what is noticed, and what stops the start.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readOperations } from '../../../src/graphql/persisted/operation-lists.ts';
import { unfitOperations } from '../../../src/graphql/persisted/unfit-operations.ts';
import { schema } from '../../../src/graphql/schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-lists-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function read(...paths: readonly string[]) {
  return readOperations({ PERSISTED_OPERATIONS: paths, PERSISTED_OPERATIONS_ONLY: false });
}

test('an operation that does not fit the schema is noticed with its id, its file and what is wrong', () => {
  const path = write('old.json', {
    fits: '{ viewer { id } }',
    gone: '{ viewer { shoeSize } }',
    none: '{ viewer {',
  });
  const listed = read(path);
  expect([...listed.byId.keys()]).toEqual(['fits', 'gone', 'none']);
  expect(unfitOperations(listed, schema)).toEqual([
    `The operation gone of ${path} can't be run: Cannot query field "shoeSize" on type "Viewer".`,
    `The operation none of ${path} can't be run: Syntax Error: Expected Name, found <EOF>.`,
  ]);
});

test('a file that is not a list stops the start, which names it', () => {
  const cases = [
    [join(folder, 'absent.json'), /absent\.json can't be read as JSON: ENOENT/],
    [write('broken.json', '{'), /broken\.json can't be read as JSON/],
    [
      write('list.json', ['{ viewer { id } }']),
      /list\.json is not a list of operations: it is \{"<id>": "<text>"\}/,
    ],
    [write('numbers.json', { one: 1 }), /numbers\.json is not a list/],
    [
      write('newer.json', {
        format: 'apollo-persisted-query-manifest',
        version: 2,
        operations: [],
      }),
      /newer\.json is not a list/,
    ],
  ] as const;
  for (const [path, message] of cases) {
    expect(() => read(path)).toThrow(message);
    expect(() => read(path)).toThrow('Some settings cannot be used:\n  PERSISTED_OPERATIONS: ');
  }
});

test('two files may agree on an id, but not differ', () => {
  const one = write('one.json', { a: '{ viewer { id } }' });
  expect(read(one, write('same.json', { a: '{ viewer { id } }' })).byId.size).toBe(1);
  const other = write('other.json', { a: '{ viewer { name } }' });
  expect(() => read(one, other)).toThrow(/other\.json: a is another operation in a file before/);
});
