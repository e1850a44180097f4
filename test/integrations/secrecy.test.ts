// What takes credentials out of messages.

import { expect, test } from 'vitest';
import { CatalogError } from '../../src/errors.ts';
import { sourceFailure } from '../../src/integrations/connectors/failure.ts';
import { saidBy } from '../../src/integrations/connectors/source-error.ts';
import { scrubberOf } from '../../src/secrets/redaction.ts';

const secret = 'p"ss\\wörd +/&=';
const credentials = { host: 'db.example', user: 'reader', port: 5432, password: secret };
const scrub = scrubberOf(credentials);

test('a secret is taken out however it is written', () => {
  for (const written of [
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    `postgres://reader:${encodeURIComponent(secret)}@db.example/x`,
  ]) {
    const clean = scrub(`before ${written} after`);
    expect(clean).toContain('***');
    expect(clean).not.toContain(secret);
    expect(clean).not.toContain(encodeURIComponent(secret));
    expect(clean).toMatch(/^before .* after$/);
  }
});

test('a secret is taken out in every form in which programs write a text down', () => {
  const login = `reader:${secret}`;
  const forms = [
    new URLSearchParams({ secret }).toString(),
    JSON.stringify(JSON.stringify({ secret })),
    [...secret].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join(''),
    [...secret].map((c) => `&#${c.codePointAt(0)};`).join(''),
    secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
    secret.replaceAll('"', '""'),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('hex').toUpperCase(),
    secret.toUpperCase(),
  ];
  for (const written of forms) {
    expect(scrub(`before ${written} after`)).toMatch(/^before .*\*\*\*.* after$/);
    expect(scrub(`before ${written} after`)).not.toContain(written);
  }
  for (const before of ['', 'a', 'ab', 'abc', '\0reader\0', 'reader:']) {
    const digits = Buffer.from(before + secret).toString('base64url');
    const clean = scrub(`before ${digits} after`);
    expect(clean).toContain('***');
    const left = clean.replace('before ', '').replace(' after', '').split('***').join('');
    expect(left.length).toBeLessThanOrEqual(Math.ceil((before.length * 4) / 3) + 5);
  }
  expect(scrub(`Basic ${Buffer.from(login).toString('base64')}`)).toContain('***');
});

test('what was cut within a secret is taken out to its end', () => {
  expect(scrub(`no login with ${secret.slice(0, 10)}`)).toBe('no login with ***');
  expect(scrub('a p')).toBe('a p');
});

test('the password of an address or a connection string is a secret wherever it stands', () => {
  for (const credentials of [
    { host: 'postgres://reader:in%20the%20host@db.example:5432/x' },
    { url: 'Server=db;User Id=reader;Password=in the host;Encrypt=true' },
    { dsn: 'reader/"in the host"@//db.example:1521/x' },
    { service: JSON.stringify({ private_key: 'in the host' }) },
  ]) {
    expect(scrubberOf(credentials)('no login with in the host'), JSON.stringify(credentials)).toBe(
      'no login with ***',
    );
  }
});

test('a long secret is found by its parts', () => {
  const long = Array.from({ length: 40 }, (_, i) => `part-${i}-of-it`).join('');
  const clean = scrubberOf({ token: long })(`refused: ${long.slice(0, 200)}`);
  expect(clean).not.toContain('part-');
});

test('a secret of quotes and backslashes does not take for ever to look for', () => {
  const odd = `${'\\'.repeat(60)}${"'".repeat(60)}${'"\''.repeat(60)}`.slice(0, 64);
  const pattern = scrubberOf({ password: odd });
  expect(pattern(`${'\\'.repeat(20_000)}${"'".repeat(20_000)}x`)).toContain('x');
  expect(pattern(`before ${JSON.stringify(odd)} after`)).toBe('before "***" after');
});

test('where a source is, and who one is there, stays to be read', () => {
  const message = 'password authentication failed for user "reader" at db.example:5432';
  expect(scrub(message)).toBe(message);
});

test('whatever no field is known for is a secret, at any depth', () => {
  const nested = scrubberOf({ extra: { tokens: ['first-token', { deep: 'second-token' }] } });
  expect(nested('first-token, second-token')).toBe('***, ***');
});

test('a text with a secret as short as a word is left out as a whole', () => {
  expect(scrubberOf({ password: 'ab' })('a table of the cabinet')).not.toContain('cabinet');
  expect(scrubberOf({ password: 'ab' })('nothing here')).toBe('nothing here');
});

test('a line of a key is a secret, too', () => {
  const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC';
  const key = `-----BEGIN PRIVATE KEY-----\n${line}\n-----END PRIVATE KEY-----`;
  expect(scrubberOf({ private_key: key })(`cannot parse ${line}`)).toBe('cannot parse ***');
});

test('an error of a driver travels as words without secrets, and nothing else', () => {
  const driver = Object.assign(new Error(`no login with ${secret}`), {
    code: '28P01',
    client: { password: secret },
    cause: new Error(secret),
  });
  const error = sourceFailure(driver, scrub, 'select 1');
  expect(error).toBeInstanceOf(CatalogError);
  expect(error.code).toBe('BAD_REQUEST');
  expect(error.cause).toBeUndefined();
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(secret);
  expect(error.message).toBe('The source refused: the login is not accepted (28P01).');
  expect(saidBy(error)).toBe('no login with ***');
});

test('what a failure means follows from its code', () => {
  const codeFor = (code: string) =>
    sourceFailure(Object.assign(new Error('x'), { code }), scrub, 'select 1').code;
  expect(codeFor('ECONNREFUSED')).toBe('UNAVAILABLE');
  expect(codeFor('42501')).toBe('BAD_REQUEST');
  expect(codeFor('08006')).toBe('UNAVAILABLE');
  expect(codeFor('57P01')).toBe('UNAVAILABLE');
  expect(codeFor('SOMETHING_ELSE')).toBe('UNAVAILABLE');
});
