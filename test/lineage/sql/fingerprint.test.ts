// The same query is recognised whatever its blanks, comments and literals are.
import { expect, test } from 'vitest';
import { dialectNamed } from '../../../src/lineage/sql/dialect.ts';
import { fingerprint, normalised } from '../../../src/lineage/sql/fingerprint.ts';
import { tokenize } from '../../../src/lineage/sql/tokens/tokens.ts';

const same: [string, string, string][] = [
  ['blanks', 'SELECT a FROM t', '  select  a\n\tFROM t '],
  ['comments', 'SELECT a FROM t', 'SELECT /* x */ a -- y\nFROM t'],
  ['a closing semicolon', 'SELECT a FROM t', 'SELECT a FROM t;;'],
  ['strings', "SELECT a FROM t WHERE b = 'x'", "SELECT a FROM t WHERE b = 'it''s'"],
  ['numbers', 'SELECT a FROM t WHERE b = 1', 'SELECT a FROM t WHERE b = -20.5e3'],
  ['how many literals a list has', 'SELECT 1 WHERE b IN (1, 2)', 'SELECT 2 WHERE b IN (7, 8, 9)'],
  [
    'how many rows VALUES has',
    'INSERT INTO t VALUES (1, 2)',
    'INSERT INTO t VALUES (3, 4), (5, 6)',
  ],
];

test.each(same)('%s make no difference', (_what, one, other) => {
  const postgres = dialectNamed('postgres');
  expect(fingerprint(one, postgres)).toBe(fingerprint(other, postgres));
});

const different: [string, string, string][] = [
  ['columns', 'SELECT a FROM t', 'SELECT b FROM t'],
  ['tables', 'SELECT a FROM t', 'SELECT a FROM u'],
  ['quoted names of other case', 'SELECT "a" FROM t', 'SELECT "A" FROM t'],
  ['operators', 'SELECT a - 1 FROM t', 'SELECT a + 1 FROM t'],
  ['a word inside a string', "SELECT 'a' FROM t", 'SELECT a FROM t'],
];

test.each(different)('%s make a difference', (_what, one, other) => {
  const postgres = dialectNamed('postgres');
  expect(fingerprint(one, postgres)).not.toBe(fingerprint(other, postgres));
});

test('what is a string depends on the dialect', () => {
  const sql = 'SELECT "a" FROM t';
  const plain = (name: string) => normalised(tokenize(sql, dialectNamed(name).lexical));
  expect(plain('mysql')).toBe('select ? from t');
  expect(plain('postgres')).toBe('select "a" from t');
});

test('a fingerprint is 32 hex digits, also of an empty text', () => {
  expect(fingerprint('', dialectNamed('postgres'))).toMatch(/^[0-9a-f]{32}$/);
});
