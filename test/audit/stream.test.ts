// The stream of the audit log: in order, each entry at least once, whatever its receiver does, and no one waits for it.

import { expect, test } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { verifyExport } from '../../src/audit/exported.ts';
import { sealWhatIsDue } from '../../src/audit/seal.ts';
import { startAuditStream } from '../../src/audit/stream/stream.ts';
import { parsePrivateHosts } from '../../src/network/address.ts';
import { makeSecret } from '../../src/network/signature.ts';
import type { Catalog } from '../catalog.ts';
import { verify as isSigned, startReceiver } from '../notifications/webhook-server.ts';
import { type Behavior, linesOf, startSyslog } from './receivers.ts';
import { openLog } from './sealed-log.ts';

const reach = { privateHosts: parsePrivateHosts('127.0.0.1/32'), filesDir: null };

/** Stream the log of a catalog to an address; what it notices goes into a list. */
function stream(
  { database }: Pick<Catalog, 'database'>,
  address: string,
  { secret, allowed = reach }: { secret?: string; allowed?: typeof reach } = {},
) {
  const notices: string[] = [];
  const receiver = { url: new URL(address), secret: secret ?? null };
  const onNotice = (message: string) => void notices.push(message);
  const started = startAuditStream({ database, receiver, reach: allowed, onNotice, everyMs: 20 });
  return { notices, stop: started.stop, [Symbol.asyncDispose]: started.stop };
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** Positions of lines, in their order. */
const positions = (lines: readonly string[]): number[] =>
  lines.map((line) => JSON.parse(line).position);

/** Write entries and seal them. */
async function add(catalog: Catalog, ...names: readonly string[]): Promise<void> {
  for (const name of names) await catalog.tag({ name });
  await sealWhatIsDue(catalog.database);
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

test('syslog gets each entry in order, and a stream that begins again goes on where it was', async () => {
  await using catalog = await openLog();
  await using server = await startSyslog();
  const address = `syslog://127.0.0.1:${server.port}`;
  const first = stream(catalog, address);
  await add(catalog, 'größer 😀');
  await expect.poll(() => server.messages.length).toBe(6);
  await first.stop();
  await add(catalog, 'seven');
  await using second = stream(catalog, address);
  await expect.poll(() => server.messages.length).toBe(7);
  const lines = linesOf(server.messages);
  expect(positions(lines)).toEqual(upTo(7));
  expect(lines[5]).toContain('größer 😀');
  expect(await verifyExport(each(lines))).toMatchObject({ brokenCount: 0, chains: [{ to: 7 }] });
  expect([...first.notices, ...second.notices]).toEqual([]);
});

test.each<Behavior>(['drop', 'close early'])(
  'of a receiver that does as in %j nothing is lost, and nothing waits for it',
  async (behavior) => {
    await using catalog = await openLog();
    await using server = await startSyslog();
    server.behavior = behavior;
    await using streaming = stream(catalog, `syslog://127.0.0.1:${server.port}`);
    await expect.poll(() => server.connections()).toBeGreaterThan(2);
    await add(catalog, 'while it fails');
    server.behavior = 'take';
    const after = server.messages.length;
    await expect.poll(() => server.messages.length, { timeout: 20_000 }).toBeGreaterThan(after + 5);
    await expect.poll(() => streaming.notices.length).toBe(2);
    const lines = linesOf(server.messages);
    expect(positions(lines.slice(after))).toEqual(upTo(6));
    // Some came twice, and none as another one.
    expect(await verifyExport(each(lines))).toMatchObject({ brokenCount: 0, chains: [{ to: 6 }] });
    expect(streaming.notices[0]).toMatch(
      /^The audit log could not be sent to its receiver, and is/,
    );
    expect(streaming.notices[1]).toBe('The receiver of the audit log takes entries again.');
  },
);

test('what a receiver that is away has not got is in the metrics, and writes go on', async () => {
  await using catalog = await openLog();
  const port = await freePort();
  const address = `syslog://127.0.0.1:${port}`;
  catalog.surroundings.auditReceiver = { url: new URL(address), secret: null };
  const base = await catalog.listen();
  const figures = async () => {
    const text = await (await fetch(`${base}/metrics`)).text();
    const of = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
    return [of('headwater_audit_unsent'), of('headwater_audit_unsent_oldest_seconds')];
  };
  await using streaming = stream(catalog, address);
  await expect.poll(() => streaming.notices.length).toBe(1);
  await add(catalog, 'six');
  await catalog.tag({ name: 'not sealed yet' });
  const [count, seconds = 0] = await figures();
  expect(count).toBe(7);
  expect(seconds).toBeGreaterThan(0);
  await using back = await startSyslog(undefined, port);
  back.behavior = 'slow';
  await expect.poll(() => back.messages.length, { timeout: 20_000 }).toBe(6);
  expect(positions(linesOf(back.messages))).toEqual(upTo(6));
  // They are read from the database at most every few seconds.
  await expect.poll(figures, { timeout: 20_000 }).toMatchObject([1, expect.any(Number)]);
});

test('of two processes one streams, and the other goes on when it stops', async () => {
  await using catalog = await openLog();
  await using server = await startSyslog();
  const address = `syslog://127.0.0.1:${server.port}`;
  const one = stream(catalog, address);
  await expect.poll(() => server.messages.length).toBe(5);
  await using other = stream(catalog, address);
  await add(catalog, 'six', 'seven');
  await expect.poll(() => server.messages.length).toBe(7);
  await one.stop();
  await add(catalog, 'eight');
  await expect.poll(() => server.messages.length).toBe(8);
  expect(positions(linesOf(server.messages))).toEqual(upTo(8));
  expect(other.notices).toEqual([]);
});

test('over HTTP come signed lines, and again what was not answered with success', async () => {
  await using catalog = await openLog();
  await using receiver = await startReceiver();
  const elsewhere = { location: receiver.url };
  receiver.reply({ status: 503 }, { status: 302, headers: elsewhere }, { status: 200 });
  const secret = makeSecret();
  await using streaming = stream(catalog, receiver.url, { secret });
  await expect.poll(() => receiver.received.length).toBe(3);
  await add(catalog, 'six');
  await expect.poll(() => receiver.received.length).toBe(4);
  const bodies = receiver.received.map(({ body }) => body.split('\n').slice(0, -1));
  expect(bodies.map(positions)).toEqual([upTo(5), upTo(5), upTo(5), [6]]);
  expect(receiver.received.map((one) => isSigned(secret, one))).toEqual([true, true, true, true]);
  expect(receiver.received.map(({ id }) => id)).toEqual([
    ...['1-5', '1-5', '1-5', '6-6'].map((of) => `audit-${catalog.workspaceId}-${of}`),
  ]);
  expect(receiver.received[0]?.headers['content-type']).toBe('application/x-ndjson');
  expect(await verifyExport(each(bodies.flat()))).toMatchObject({ brokenCount: 0 });
  expect(streaming.notices).toHaveLength(2);
  expect(streaming.notices[0]).toContain('it answered 503');
});

test('a private host is connected to only where the operator allows it', async () => {
  await using catalog = await openLog();
  await using server = await startSyslog();
  const allowed = { ...reach, privateHosts: parsePrivateHosts('') };
  await using streaming = stream(catalog, `syslog://127.0.0.1:${server.port}`, { allowed });
  await expect.poll(() => streaming.notices.length).toBe(1);
  expect(streaming.notices[0]).toContain('ALLOW_PRIVATE_HOSTS');
  expect(server.connections()).toBe(0);
});

test('the logs of several workspaces come in turns, each in its order', async () => {
  await using catalog = await openLog();
  const other = await catalog.another();
  await other.tag({ name: 'of another' });
  await sealWhatIsDue(catalog.database);
  await using receiver = await startReceiver();
  await using _streaming = stream(catalog, receiver.url);
  await expect.poll(() => receiver.received.length).toBe(2);
  await other.tag({ name: 'again' });
  await add(catalog, 'six');
  await expect.poll(() => receiver.received.length).toBe(4);
  const lines = receiver.received.flatMap(({ body }) => body.split('\n').slice(0, -1));
  const { chains, brokenCount } = await verifyExport(each(lines));
  expect(brokenCount).toBe(0);
  expect(Object.fromEntries(chains.map(({ workspaceId, to }) => [workspaceId, to]))).toEqual({
    [catalog.workspaceId]: 6,
    [other.workspaceId]: 2,
  });
});
