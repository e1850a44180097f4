// What an API key looks like, and how a forged one is recognized without the database.

import { randomInt, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  hashKey,
  isWellFormedKey,
  isWellFormedSession,
  makeKey,
  makeSessionSecret,
  prefixOf,
  workspaceIn,
} from '../../src/auth/key-form.ts';

test('a key is hwk_, its workspace, 30 digits in base 62 and 6 of their checksum', () => {
  const keys = Array.from({ length: 1_000 }, () => makeKey(randomUUID()));
  for (const key of keys) {
    expect(key).toMatch(/^hwk_[0-9A-Za-z]{22}_[0-9A-Za-z]{36}$/);
    expect(isWellFormedKey(key)).toBe(true);
  }
  expect(new Set(keys).size).toBe(keys.length);
});

test('the secret of a session is no key, a key is none, and a forged one is neither', () => {
  const [key, secret] = [makeKey(randomUUID()), makeSessionSecret()];
  expect(secret).toMatch(/^hws_[0-9A-Za-z]{36}$/);
  expect([isWellFormedSession(secret), isWellFormedKey(secret)]).toEqual([true, false]);
  expect([isWellFormedSession(key), isWellFormedKey(key)]).toEqual([false, true]);
  expect(isWellFormedSession(`hws_${'0'.repeat(36)}`)).toBe(false);
});

test('the checksum is the CRC32 of all before it, in base 62', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const key = makeKey(randomUUID());
  const value = [...key.slice(57)].reduce((n, digit) => n * 62 + digits.indexOf(digit), 0);
  expect(value).toBe(crc32(key.slice(4, 57)));
});

test('a key with any one digit changed is forged', () => {
  const key = makeKey(randomUUID());
  for (let i = 0; i < key.length; i += 1) {
    const other = key[i] === 'x' ? 'y' : 'x';
    expect(isWellFormedKey(key.slice(0, i) + other + key.slice(i + 1))).toBe(false);
  }
});

test('random strings of the right form are forged', () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  for (let i = 0; i < 5_000; i += 1) {
    const random = Array.from({ length: 36 }, () => letters[randomInt(62)]).join('');
    expect(isWellFormedKey(`hwk_${random}`)).toBe(false);
  }
});

test('text around a key, or less or more of it, is forged', () => {
  const key = makeKey(randomUUID());
  for (const text of ['', `${key} `, ` ${key}`, `${key}\n`, `${key}0`, key.slice(0, -1), 'hwk_']) {
    expect(isWellFormedKey(text)).toBe(false);
  }
});

test('eight digits tell keys apart; of a chosen key nothing is shown', () => {
  const key = makeKey(randomUUID());
  expect(prefixOf(key)).toBe(key.slice(27, 35));
  expect(prefixOf('correct-horse-battery')).toBe('chosen');
});

test('the stored hash depends on the pepper and on every digit', () => {
  const key = makeKey(randomUUID());
  const hash = hashKey(Buffer.from('one'), key);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(hashKey(Buffer.from('one'), key)).toBe(hash);
  expect(hashKey(Buffer.from('two'), key)).not.toBe(hash);
  expect(hashKey(Buffer.from('one'), `${key}0`)).not.toBe(hash);
});

test('a key names its workspace; one of an earlier version names none and is well formed', () => {
  const least = '00000000-0000-0000-0000-000000000000';
  const most = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  for (const id of [least, most, ...Array.from({ length: 100 }, () => randomUUID())]) {
    expect(workspaceIn(makeKey(id))).toBe(id);
  }
  const old = 'hwk_0123456789ABCDEFGHIJKLMNOPQRST4PMbyp';
  expect(isWellFormedKey(old)).toBe(true);
  expect([workspaceIn(old), workspaceIn('correct-horse-battery')]).toEqual([null, null]);
  // More than a UUID has room for.
  expect(workspaceIn(`hwk_${'z'.repeat(22)}_${'0'.repeat(36)}`)).toBeNull();
});
