// How connections to sources are encrypted, and what the handshake checks.

import { expect, test } from 'vitest';
import { tlsOptions } from '../../../src/integrations/connectors/tls.ts';

const named = { name: 'db.example.com', address: '10.1.2.3' };

test('what is checked of a certificate is what was asked for', () => {
  expect(tlsOptions('disable', named, undefined)).toBeNull();
  const checks = (['prefer', 'require', 'verify-ca', 'verify-full'] as const).map((encryption) => {
    const options = tlsOptions(encryption, named, undefined);
    // That of Node.js compares the host, unless there is one of ours.
    return [encryption, options?.rejectUnauthorized, options?.checkServerIdentity === undefined];
  });
  expect(checks).toEqual([
    ['prefer', false, true],
    ['require', false, true],
    ['verify-ca', true, false],
    ['verify-full', true, true],
  ]);
  const anyHost = tlsOptions('verify-ca', named, undefined)?.checkServerIdentity;
  expect(anyHost?.('another.example.com', Object.create(null))).toBeUndefined();
});

test('a certificate is for the name of a host, where it has one', () => {
  expect(tlsOptions('require', named, undefined)).toMatchObject({ servername: 'db.example.com' });
  const numbered = { name: '10.1.2.3', address: '10.1.2.3' };
  expect(tlsOptions('require', numbered, undefined)).not.toHaveProperty('servername');
});

test('a certificate authority is trusted where one is given', () => {
  expect(tlsOptions('verify-full', named, 'PEM')).toMatchObject({ ca: 'PEM' });
  expect(tlsOptions('verify-full', named, '')).not.toHaveProperty('ca');
});
