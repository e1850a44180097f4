// How connections to sources are encrypted, what the handshake checks, and what is said of it.

import type { PeerCertificate } from 'node:tls';
import { expect, test } from 'vitest';
import { fieldOf } from '../../../src/integrations/connectors/fields.ts';
import { connectors, typesWithDriver } from '../../../src/integrations/connectors/open.ts';
import {
  encryptionCheck,
  encryptionOf,
  encryptionOverHttp,
  tlsOptions,
} from '../../../src/integrations/connectors/tls.ts';
import { exampleFor } from './examples.ts';

const named = { name: 'db.example.com', address: '10.1.2.3' };
const outside = { name: 'db.example.com', address: '93.184.215.14' };

test('where nothing is set, a host outside of private networks has to show a certificate of its own', () => {
  expect(fieldOf.ssl.parse(undefined)).toBe('auto');
  expect(encryptionOf('auto', outside)).toBe('verify-full');
  expect(encryptionOf('auto', { name: '2606:2800::1', address: '2606:2800::1' })).toBe(
    'verify-full',
  );
  for (const address of ['10.1.2.3', '127.0.0.1', '192.168.1.1', '172.16.0.1', 'fd00::1', '::1']) {
    expect(encryptionOf('auto', { name: 'x', address }), address).toBe('prefer');
  }
  // What is set is done, wherever the host is.
  for (const set of ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const) {
    expect(encryptionOf(set, outside)).toBe(set);
  }
  expect(encryptionOverHttp('auto', outside, false)).toBe('verify-full');
  expect(encryptionOverHttp('auto', named, false)).toBe('disable');
  expect(encryptionOverHttp('auto', named, true)).toBe('require');
});

test('every source that is reached over a network leaves it to that default', () => {
  const shapeOf = (type: string) => connectors[type]?.credentials.shape ?? {};
  const examples = Object.entries(exampleFor('h', 1));
  expect(examples.map(([type]) => type).sort()).toEqual([...typesWithDriver].sort());
  for (const [type, example] of examples) {
    if ('host' in shapeOf(type)) {
      const { ssl: _, ...login } = example ?? {};
      expect(connectors[type]?.credentials.parse(login), type).toMatchObject({ ssl: 'auto' });
    } else {
      // One without a host opens files, or has an address that says by itself whether it is encrypted.
      expect(example === null || 'url' in shapeOf(type), type).toBe(true);
      expect(shapeOf(type), type).not.toHaveProperty('ssl');
    }
  }
});

test('what is checked of a certificate is what was asked for', () => {
  expect(tlsOptions('disable', named, undefined)).toBeNull();
  const of = (host: string): PeerCertificate =>
    Object.assign(Object.create(null), { subject: {}, subjectaltname: `DNS:${host}` });
  const checks = (['require', 'verify-ca', 'verify-full'] as const).map((encryption) => {
    const options = tlsOptions(encryption, named, undefined);
    // Whatever name Node.js would compare.
    const takes = (host: string) =>
      options?.checkServerIdentity?.('localhost', of(host)) === undefined;
    return [encryption, options?.rejectUnauthorized, takes(named.name), takes('localhost')];
  });
  expect(checks).toEqual([
    ['require', false, true, true],
    ['verify-ca', true, true, true],
    ['verify-full', true, true, false],
  ]);
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

test('a connection that others can read or pass for is limited, unless it stays on this machine', () => {
  const stateOf = (
    encryption: Parameters<typeof encryptionCheck>[0]['encryption'],
    address: string,
  ) => {
    const { state, message, fix } = encryptionCheck({ host: { name: 'x', address }, encryption });
    expect(fix === null).toBe(state === 'ok');
    return [state, message.split('.')[0]];
  };
  for (const { address } of [named, outside]) {
    expect(stateOf('disable', address)).toEqual(['limited', 'Not encrypted']);
    expect(stateOf('require', address)).toEqual(['limited', 'Encrypted, certificate not verified']);
    expect(stateOf('verify-ca', address)[0]).toBe('limited');
    expect(stateOf('verify-full', address)[0]).toBe('ok');
  }
  for (const address of ['127.0.0.1', '127.8.0.1', '::1']) {
    expect(stateOf('disable', address)).toEqual(['ok', 'Not encrypted']);
    expect(stateOf('require', address)).toEqual(['ok', 'Encrypted, certificate not verified']);
  }
});
