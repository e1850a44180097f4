// Which addresses may be connected to, however they are spelled.

import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connector } from '../../src/integrations/connectors/connector.ts';
import { connectors, typesWithDriver } from '../../src/integrations/connectors/open.ts';
import { openPostgresConnector } from '../../src/integrations/connectors/postgres/postgres.ts';
import { mayConnect, parsePrivateHosts, standingOf } from '../../src/network/address.ts';
import { findHost, type NetworkReach } from '../../src/network/reach.ts';
import { sayCounted } from '../gates/counted.ts';
import { exampleFor } from './connectors/examples.ts';
import { startFake } from './connectors/http-fake.ts';

const nowhere: NetworkReach = { privateHosts: parsePrivateHosts(''), filesDir: null };

/** Ways to write an address that no one may connect to, unless the operator allows it. */
const spellings = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '127.255.255.254',
  '0',
  '0.0.0.0',
  'localhost',
  'LOCALHOST',
  'localhost.',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
  '::',
  '[::]',
  '::ffff:127.0.0.1',
  '[::ffff:127.0.0.1]',
  '::ffff:7f00:1',
  '::ffff:0:127.0.0.1',
  '::127.0.0.1',
  '0:0:0:0:0:ffff:7f00:0001',
  '64:ff9b::7f00:1',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  '2001:db8::1',
  '3fff::1',
  '100::1',
  'fe80::1',
  'fe80::1%lo',
  '::1%lo',
  'fec0::1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fd00:42::42',
  'ff02::1',
  '4000::1',
  '169.254.169.254',
  '[::ffff:169.254.169.254]',
  '::ffff:a9fe:a9fe',
  '0xa9fea9fe',
  '2852039166',
  '169.254.170.2',
  '169.254.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '10.0.0.1',
  '10.255.255.255',
  '012.1.1.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.168.257',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '127.0.0.1/32',
  '127.0.0.1:80',
  'user@127.0.0.1',
  'http://127.0.0.1',
  '/var/run/postgresql',
  '/tmp',
  '.',
  '127.0.0.1 ',
  '127.0.0.1\t',
  'a b',
];

let server: Server;
let port = 0;
let connections = 0;
/** The address by which each connection came. */
const cameBy: (string | undefined)[] = [];

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    cameBy.push(socket.localAddress?.replace('::ffff:', ''));
    socket.destroy();
  });
  // All addresses of this machine, IPv4 and IPv6 where it has it.
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, resolve);
  });
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Make a connector go to its host, where nothing answers: by a statement, or by the test of one that runs none. */
async function goTo(connector: Connector): Promise<void> {
  if (connector.dialect !== null) {
    await connector.query('SELECT 1', { timeoutMs: 1_000 });
    return;
  }
  const { checks } = await connector.test();
  throw new Error(checks.map(({ message }) => message).join(' '));
}

test(`${spellings.length} spellings of forbidden addresses get no connection`, async () => {
  expect(spellings.length).toBeGreaterThanOrEqual(60);
  const allowed: string[] = [];
  for (const host of spellings) {
    await findHost(host, nowhere).then(
      ({ address }) => allowed.push(`${host} -> ${address}`),
      (error) => expect(['BAD_REQUEST', 'UNAVAILABLE'], host).toContain(error.code),
    );
  }
  expect(allowed).toEqual([]);
});

/** The types of sources that are gone to over a network. */
const types = typesWithDriver.filter((type) => exampleFor('', 0)[type] !== null);

const openAt = async (type: string, at: NetworkReach, host: string, own = port) => {
  const connector = connectors[type];
  const credentials = exampleFor(host, own)[type];
  if (!connector || !credentials) throw new Error(`${type} has no line in examples.ts.`);
  return connector.open({ id: `${type} ${host} ${own}`, reach: at }, credentials);
};

test('no connector connects to any of them', async () => {
  let connected = 0;
  for (const host of spellings) {
    for (const type of types) {
      // What can't be a host is refused before anything is opened.
      const connector = await openAt(type, nowhere, host).catch((error) => {
        expect(error.code, host).toBe('BAD_REQUEST');
        return null;
      });
      if (!connector) continue;
      await expect(connector.query('SELECT 1', { timeoutMs: 5_000 }), host).rejects.toThrow();
      const { ok } = await connector.test();
      expect(ok, host).toBe(false);
      await connector.close();
      connected += 1;
    }
  }
  sayCounted(
    `${spellings.length} spellings, ${connected} connectors that were given one, ${connections} connections`,
  );
  expect(connected).toBeGreaterThanOrEqual(types.length * 60);
  expect(connections).toBe(0);
}, 60_000);

test('an allowed address is connected to, so that the count means something', async () => {
  const reach = { privateHosts: parsePrivateHosts('127.0.0.1/32'), filesDir: null };
  const login = { host: '127.0.0.1', port, database: 'd', user: 'u', ssl: 'disable' };
  const connector = openPostgresConnector('postgres', { id: 'here', reach }, login);
  await expect(connector.query('SELECT 1', { timeoutMs: 5_000 })).rejects.toThrow();
  await connector.close();
  expect(connections).toBe(1);
  connections = 0;
  cameBy.length = 0;
});

test('a name is looked up once, and what it says later changes nothing', async () => {
  const answers = [['127.0.0.2'], ['127.0.0.1']];
  let asked = 0;
  const reach: NetworkReach = {
    privateHosts: parsePrivateHosts('127.0.0.2'),
    filesDir: null,
    async lookup() {
      asked += 1;
      return answers.shift() ?? ['127.0.0.1'];
    },
  };
  const host = await findHost('rebound.example', reach);
  expect(host).toEqual({ name: 'rebound.example', address: '127.0.0.2' });
  expect(asked).toBe(1);
});

test('a connector goes to the address that was checked, whatever the name leads to by then', async () => {
  for (const type of types) {
    let asked = 0;
    const reach: NetworkReach = {
      privateHosts: parsePrivateHosts('127.0.0.2'),
      filesDir: null,
      // The first look finds what is allowed, every other one what is not.
      async lookup() {
        asked += 1;
        return asked === 1 ? ['127.0.0.2'] : ['127.0.0.1'];
      },
    };
    const connector = await openAt(type, reach, 'rebound.example');
    await expect(goTo(connector)).rejects.toThrow();
    await expect(goTo(connector)).rejects.toThrow('private');
    await connector.close();
  }
  const places = cameBy.splice(0);
  // A lost connection is made again by some.
  expect(places.length).toBeGreaterThanOrEqual(types.length);
  expect([...new Set(places)]).toEqual(['127.0.0.2']);
  connections = 0;
});

test('no redirect leads to another place', async () => {
  const to = `http://127.0.0.1:${port}/`;
  for (const status of [301, 302, 303, 307, 308]) {
    await using fake = await startFake(() => ({ status, headers: { location: to } }));
    const reach = { privateHosts: parsePrivateHosts('127.0.0.1/32'), filesDir: null };
    for (const type of ['clickhouse', 'trino']) {
      const connector = await openAt(type, reach, '127.0.0.1', fake.port);
      await expect(connector.query('SELECT 1', { timeoutMs: 5_000 })).rejects.toThrow('redirect');
      await connector.close();
    }
    expect(fake.asked.length).toBeGreaterThanOrEqual(2);
  }
  expect(connections).toBe(0);
});

test('a name with one forbidden address among others is refused', async () => {
  const lookup = async () => ['93.184.216.34', '127.0.0.1'];
  await expect(findHost('mixed.example', { ...nowhere, lookup })).rejects.toThrow('private');
  const none = async () => [];
  await expect(findHost('empty.example', { ...nowhere, lookup: none })).rejects.toThrow(
    'no address',
  );
});

test('of the allowed addresses of a name the one that more networks reach is taken', async () => {
  const lookup = async () => ['2606:4700::1111', '1.1.1.1'];
  expect(await findHost('both.example', { ...nowhere, lookup })).toMatchObject({
    address: '1.1.1.1',
  });
});

test('public addresses are public', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '100.63.0.1']) {
    expect(standingOf(address), address).toBe('public');
  }
  for (const address of ['2606:4700::1111', '2a00:1450:4001::200e', '2001:4860:4860::8888']) {
    expect(standingOf(address), address).toBe('public');
  }
});

test('private ranges are allowed by CIDR; metadata and link-local never', () => {
  const all = parsePrivateHosts('0.0.0.0/0, ::/0');
  for (const address of ['10.1.2.3', '127.0.0.1', '192.168.0.1', '::1', 'fd12::1']) {
    expect(mayConnect(address, all), address).toBe(true);
  }
  for (const address of [
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    'fd00:ec2::254',
    'fe80::1',
    '0.0.0.0',
    '224.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:127.0.0.1',
  ]) {
    expect(mayConnect(address, all), address).toBe(false);
  }
  const some = parsePrivateHosts('10.1.0.0/16,fd12::/16');
  expect(mayConnect('10.1.255.1', some)).toBe(true);
  expect(mayConnect('10.2.0.1', some)).toBe(false);
  expect(mayConnect('fd12::9', some)).toBe(true);
  expect(mayConnect('fd13::9', some)).toBe(false);
});

test('a CIDR that is none is named', () => {
  for (const text of [
    '10.0.0.0/33',
    '10.0.0/8',
    'localhost',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '::/129',
  ]) {
    expect(() => parsePrivateHosts(text), text).toThrow('is not a CIDR range');
  }
  expect(() => parsePrivateHosts(' 10.0.0.0/8 ,, ::1')).not.toThrow();
});
