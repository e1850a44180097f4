import pg from 'pg';
import { expect, test } from 'vitest';
import { getTypeParser, parseTextArray, parseTime } from '../../src/database/value-parsers.ts';

const textArray: number = 1009;

test.each([
  '{}',
  '{a}',
  '{a,b}',
  '{NULL}',
  '{a,NULL,b}',
  '{nullable,b}',
  '{"NULL"}',
  '{""}',
  '{"a,b",c}',
  String.raw`{"a\"b",c\\d}`,
  '{{a},{b}}',
  '[0:1]={a,b}',
  '{Ä,日本}',
])('a list is read as node-postgres reads it: %s', (list) => {
  expect(parseTextArray(list)).toEqual(pg.types.getTypeParser(textArray)(list));
});

test.each([
  '2026-01-02 03:04:05+00',
  '2026-01-02 03:04:05.1+00',
  '2026-12-31 23:59:59.123+00',
  '2026-01-02 03:04:05.999999+00',
  '2026-01-02 03:04:05.5-05:30',
  '0044-03-15 00:00:00+00 BC',
  '0044-03-15 00:00:00+00',
  '0144-03-15 00:00:00+00',
  '12026-01-02 03:04:05+00',
  'infinity',
])('a time is read as node-postgres reads it: %s', (time) => {
  const usual: unknown = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)(time);
  expect(Number(parseTime(time))).toBe(Number(usual));
});

test('lists of ids have our parser, and numbers that of node-postgres', () => {
  const uuidArray = 2951;
  expect(getTypeParser(uuidArray)).toBe(parseTextArray);
  expect(getTypeParser(pg.types.builtins.INT4)('7')).toBe(7);
});
