// What takes credentials out of messages.

import { expect, test } from 'vitest';
import { CatalogError } from '../../src/errors.ts';
import { sourceFailure } from '../../src/integrations/connectors/failure.ts';
import { scrubberOf } from '../../src/integrations/secrecy.ts';

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
  const error = sourceFailure(driver, scrub);
  expect(error).toBeInstanceOf(CatalogError);
  expect(error.code).toBe('BAD_REQUEST');
  expect(error.cause).toBeUndefined();
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(secret);
  expect(error.message).toContain('no login with ***');
});

test('what a failure means follows from its code', () => {
  const codeFor = (code: string) =>
    sourceFailure(Object.assign(new Error('x'), { code }), scrub).code;
  expect(codeFor('ECONNREFUSED')).toBe('UNAVAILABLE');
  expect(codeFor('42501')).toBe('BAD_REQUEST');
  expect(codeFor('08006')).toBe('UNAVAILABLE');
  expect(codeFor('57P01')).toBe('UNAVAILABLE');
  expect(codeFor('SOMETHING_ELSE')).toBe('UNAVAILABLE');
});
