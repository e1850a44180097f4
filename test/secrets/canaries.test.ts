// What searches for secrets finds them in every form: otherwise its silence would say nothing.

import { expect, test } from 'vitest';
import { canary, leaksIn } from './canaries.ts';

const bird = canary('bird');
const { secret, core } = bird;
const forms: Readonly<Record<string, string | Uint8Array>> = {
  plain: `password authentication failed for ${secret}`,
  capitals: core.toUpperCase(),
  JSON: JSON.stringify({ password: secret }),
  'JSON codes': [...secret]
    .map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join(''),
  'JSON in JSON': JSON.stringify(JSON.stringify({ password: secret })),
  'an address': `postgres://reader:${encodeURIComponent(secret)}@host/x`,
  'a form': new URLSearchParams({ password: secret }).toString(),
  base64: Buffer.from(secret).toString('base64'),
  'a login': Buffer.from(`reader:${secret}`).toString('base64'),
  'a longer login': Buffer.from(`a reader:${secret}`).toString('base64'),
  'the login of mail': Buffer.from(`\0reader\0${secret}`).toString('base64url'),
  hex: Buffer.from(secret).toString('hex'),
  'capital hex': Buffer.from(secret).toString('hex').toUpperCase(),
  reversed: [...secret].reverse().join(''),
  'cut off': secret.slice(0, secret.indexOf(core) + 20),
  'the end of it': secret.slice(secret.indexOf(core) + 12),
  UTF16: Buffer.from(secret, 'utf16le'),
  'among bytes': Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(secret)]),
};

test.each(Object.entries(forms))('a secret is found: %s', (_, form) => {
  expect(leaksIn(form, [canary('other'), bird])).not.toEqual([]);
  expect(leaksIn(form, [canary('other')])).toEqual([]);
});

test('every byte may be percent-encoded', () => {
  const codes = [...Buffer.from(secret)]
    .map((byte) => `%${byte.toString(16).toUpperCase()}`)
    .join('');
  expect(leaksIn(codes, [bird])).not.toEqual([]);
});
