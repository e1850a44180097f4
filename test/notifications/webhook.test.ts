// Webhooks: signed, logged, sent again, to nowhere that is forbidden, and without a word of the secret.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, test } from 'vitest';
import { rows } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import { parsePrivateHosts } from '../../src/network/address.ts';
import type { DeliveryOutcome } from '../../src/notifications/outbox/delivery-result.ts';
import { post } from '../../src/notifications/outbox/outbox.ts';
import { createRule, listRules } from '../../src/notifications/rule.ts';
import { deliverToWebhook } from '../../src/notifications/webhooks/delivery.ts';
import { rewrapSecrets } from '../../src/notifications/webhooks/secret.ts';
import { deleteWebhook, updateWebhook } from '../../src/notifications/webhooks/webhook.ts';
import { keyRing } from '../../src/secrets/master-key.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { secretsKey } from '../surroundings.ts';
import { startReceiver, verify } from './webhook-server.ts';
import { workOff } from './work-off.ts';

/** A workspace whose server may reach the loopback. */
async function open(): Promise<Catalog> {
  const catalog = await openCatalog();
  allow(catalog, '127.0.0.1/32');
  return catalog;
}

function allow(catalog: Catalog, cidrs: string): void {
  catalog.surroundings.reach = { privateHosts: parsePrivateHosts(cidrs), filesDir: null };
}

const create = `mutation ($input: CreateWebhookInput!) {
  createWebhook(input: $input) { secret webhook { id name url isEnabled events } } }`;

async function webhook(catalog: Catalog, url: string, events: string[] = []) {
  const answer = await catalog.graphql(create, { input: { name: 'Automation', url, events } });
  expect(answer.errors).toBeUndefined();
  const { secret, webhook } = answer.data.createWebhook;
  return { secret: String(secret), id: String(webhook.id) };
}

/** Put something into the outbox for a webhook. */
async function enqueue(catalog: Catalog, address: string, key: string): Promise<void> {
  await transaction(catalog.admin, (tx) =>
    post(tx, [
      {
        ...{ dedupeKey: key, event: 'resource_changed', incidentId: null, channel: 'webhook' },
        ...{ address, content: { title: key, text: '' } },
        body: JSON.stringify({ type: 'resource_changed', data: { key } }),
      },
    ]),
  );
}

const log = `query ($id: ID!) { webhook(id: $id) { isEnabled disabledReason deliveries {
  nodes { id event body state attempts { durationMs status error answer } } } } }`;

async function logOf(catalog: Catalog, id: string) {
  const answer = await catalog.graphql(log, { id });
  expect(answer.errors).toBeUndefined();
  return answer.data.webhook;
}

test('a signature verifies, and a body that was tampered with does not', async () => {
  await using receiver = await startReceiver();
  await using catalog = await open();
  const { id, secret } = await webhook(catalog, receiver.url);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await enqueue(catalog, id, 'one');
  await workOff(catalog);
  const [first] = receiver.received;
  if (!first) throw new Error('Nothing came.');
  expect(verify(secret, first)).toBe(true);
  expect(JSON.parse(first.body)).toEqual({ type: 'resource_changed', data: { key: 'one' } });
  expect(verify(secret, { ...first, body: first.body.replace('one', 'two') })).toBe(false);
  const old = { ...first.headers, 'webhook-timestamp': '1' };
  expect(verify(secret, { ...first, headers: old })).toBe(false);

  const rotate = async (overlapHours: number | null) => {
    const query = `mutation ($id: ID!, $overlapHours: Int) {
      rotateWebhookSecret(id: $id, overlapHours: $overlapHours) { secret webhook { previousUntil } } }`;
    const { data, errors } = await catalog.graphql(query, { id, overlapHours });
    return errors?.[0]?.message ?? data.rotateWebhookSecret;
  };
  const next = async (key: string) => {
    await enqueue(catalog, id, key);
    await workOff(catalog);
    const last = receiver.received.at(-1);
    if (!last) throw new Error('Nothing came.');
    return last;
  };
  // Both signatures are there while the receiver learns of the new secret.
  const rotated = await rotate(null);
  expect(rotated.webhook.previousUntil).not.toBeNull();
  const second = await next('two');
  expect([verify(secret, second), verify(rotated.secret, second)]).toEqual([true, true]);
  expect(String(second.headers['webhook-signature']).split(' ')).toHaveLength(2);
  // Of two before, only the latest goes on.
  const latest = await rotate(1);
  const third = await next('three');
  const all = [secret, rotated.secret, latest.secret];
  expect(all.map((one) => verify(one, third))).toEqual([false, true, true]);
  await catalog.database.prisma.webhook.updateMany({ data: { previousUntil: new Date(0) } });
  const fourth = await next('four');
  expect(all.map((one) => verify(one, fourth))).toEqual([false, false, true]);
  // One that leaked ends at once.
  const clean = await rotate(0);
  expect(clean.webhook.previousUntil).toBeNull();
  const fifth = await next('five');
  expect([verify(latest.secret, fifth), verify(clean.secret, fifth)]).toEqual([false, true]);
  expect(await rotate(721)).toContain('0 to 720');
});

test('what fails is sent again under its id, each attempt is logged, and all can be replayed', async () => {
  await using receiver = await startReceiver();
  await using catalog = await open();
  const { id } = await webhook(catalog, receiver.url);
  receiver.reply(
    { status: 429, headers: { 'retry-after': '1' }, body: 'slowly' },
    { status: 500, body: `${'x'.repeat(2_000)}` },
  );
  await enqueue(catalog, id, 'one');
  await workOff(catalog);
  expect(receiver.received).toHaveLength(3);
  expect(new Set(receiver.received.map((one) => `${one.id} ${one.body}`)).size).toBe(1);
  const [delivery] = (await logOf(catalog, id)).deliveries.nodes;
  expect(delivery).toMatchObject({
    ...{ id: receiver.received[0]?.id, event: 'resource_changed', state: 'delivered' },
    body: receiver.received[0]?.body,
    attempts: [
      { status: 429, error: 'The webhook answered with the status 429.', answer: 'slowly' },
      { status: 500, error: expect.any(String), answer: 'x'.repeat(1_024) },
      { status: 200, error: null, answer: 'taken' },
    ],
  });
  expect(delivery.attempts[0].durationMs).toBeGreaterThanOrEqual(0);

  const replay = `mutation ($id: ID!) { redeliverWebhook(deliveryId: $id) { id state } }`;
  const again = await catalog.graphql(replay, { id: delivery.id });
  expect(again.data.redeliverWebhook).toEqual({ id: delivery.id, state: 'pending' });
  await workOff(catalog);
  expect(receiver.received).toHaveLength(4);
  expect(receiver.received[3]?.id).toBe(delivery.id);
  const [after] = (await logOf(catalog, id)).deliveries.nodes;
  expect(after.attempts).toHaveLength(4);
});

test('a redirect is not followed, and what is not found stays so', async () => {
  await using receiver = await startReceiver();
  await using other = await startReceiver();
  await using catalog = await open();
  const { id } = await webhook(catalog, receiver.url);
  receiver.reply({ status: 302, headers: { location: other.url } }, { status: 404 });
  await enqueue(catalog, id, 'one');
  await workOff(catalog);
  await enqueue(catalog, id, 'two');
  await workOff(catalog);
  expect([receiver.received.length, other.connections()]).toEqual([2, 0]);
  const { nodes } = (await logOf(catalog, id)).deliveries;
  expect(nodes.map(({ state }: { state: string }) => state)).toEqual(['failed', 'failed']);
  const [, first] = nodes;
  expect(first.attempts[0].error).toContain('a redirect (302), which is not followed');
});

test('nothing connects to an address that is not allowed, however it is spelled', async () => {
  await using receiver = await startReceiver();
  await using catalog = await open();
  allow(catalog, '');
  const { port } = new URL(receiver.url);
  const hosts = ['127.0.0.1', 'localhost', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '0'];
  const testHook = `mutation ($id: ID!) { testWebhook(id: $id) { ok status reason } }`;
  for (const host of hosts) {
    const { id } = await webhook(catalog, `http://${host}:${port}/`);
    const { data } = await catalog.graphql(testHook, { id });
    expect(data.testWebhook, host).toMatchObject({ ok: false, status: null });
    expect(data.testWebhook.reason).toMatch(
      /ALLOW_PRIVATE_HOSTS|Connections to .* are not allowed/,
    );
    await enqueue(catalog, id, host);
  }
  await workOff(catalog);
  expect(receiver.connections()).toBe(0);
  for (const url of ['file:///etc/passwd', 'http://u:p@example.com/', 'example.com', '']) {
    const answer = await catalog.graphql(create, { input: { name: 'x', url } });
    expect(answer.errors?.[0]?.extensions.fields?.[0]?.field, url).toBe('url');
  }
});

test('a name is looked up once for each request, and no address of it may be forbidden', async () => {
  await using receiver = await startReceiver();
  await using catalog = await open();
  const { port } = new URL(receiver.url);
  const names: string[] = [];
  const answers = [['127.0.0.1'], ['127.0.0.1', '169.254.169.254']];
  catalog.surroundings.reach = {
    ...{ privateHosts: parsePrivateHosts('127.0.0.1'), filesDir: null },
    async lookup(name) {
      names.push(name);
      return answers.shift() ?? ['169.254.169.254'];
    },
  };
  const { id } = await webhook(catalog, `http://hook.example.com:${port}/`);
  const testHook = `mutation ($id: ID!) { testWebhook(id: $id) { ok reason } }`;
  const first = await catalog.graphql(testHook, { id });
  expect(first.data.testWebhook.ok).toBe(true);
  expect(receiver.received[0]?.headers.host).toBe(`hook.example.com:${port}`);
  const second = await catalog.graphql(testHook, { id });
  expect(second.data.testWebhook).toMatchObject({
    ...{ ok: false, reason: expect.stringContaining('169.254.169.254') },
  });
  expect([names, receiver.connections()]).toEqual([Array(2).fill('hook.example.com'), 1]);
});

test('an answer without end is cut, and one that breaks off is tried again', async () => {
  await using catalog = await open();
  let requests = 0;
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => {
    requests += 1;
    if (requests > 1) {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => response.destroy(), 20);
      return;
    }
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    };
    response.on('drain', pour);
    pour();
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const { id } = await webhook(catalog, `http://127.0.0.1:${port}/`);
  const testHook = `mutation ($id: ID!) { testWebhook(id: $id) { ok status reason } }`;
  const endless = await catalog.graphql(testHook, { id });
  expect(endless.data.testWebhook).toMatchObject({ ok: true, status: 200 });
  await expect.poll(() => sockets.size).toBe(0);
  const half = await catalog.graphql(testHook, { id });
  expect(half.data.testWebhook).toMatchObject({ ok: false, status: null });
  expect((await logOf(catalog, id)).deliveries.nodes[1].attempts[0].answer).toHaveLength(1_024);
  await new Promise((resolve) => server.close(resolve));
});

test('the test button sends a signed ping at once, and says what came of it', async () => {
  await using receiver = await startReceiver();
  await using catalog = await open();
  const { id, secret } = await webhook(catalog, receiver.url);
  const testHook = `mutation ($id: ID!) { testWebhook(id: $id) { ok status durationMs reason } }`;
  const good = await catalog.graphql(testHook, { id });
  expect(good.data.testWebhook).toMatchObject({ ok: true, status: 200 });
  const [ping] = receiver.received;
  expect(ping && verify(secret, ping)).toBe(true);
  expect(JSON.parse(ping?.body ?? '')).toMatchObject({ type: 'ping', data: { webhook: { id } } });
  receiver.reply({ status: 503 });
  const bad = await catalog.graphql(testHook, { id });
  expect(bad.data.testWebhook).toMatchObject({
    ...{ ok: false, status: 503, reason: 'The webhook answered with the status 503.' },
  });
  const { nodes } = (await logOf(catalog, id)).deliveries;
  expect(nodes.map(({ event, state }: Record<string, string>) => [event, state])).toEqual([
    ['ping', 'failed'],
    ['ping', 'delivered'],
  ]);
});

test('a webhook that says it is gone is disabled, and gets nothing more', async () => {
  await using receiver = await startReceiver();
  await using catalog = await open();
  const { id } = await webhook(catalog, receiver.url);
  receiver.reply({ status: 410 });
  await enqueue(catalog, id, 'one');
  await workOff(catalog);
  await enqueue(catalog, id, 'two');
  await workOff(catalog);
  expect(receiver.received).toHaveLength(1);
  expect(await logOf(catalog, id)).toMatchObject({
    ...{ isEnabled: false, disabledReason: 'The webhook answered that it is gone (410).' },
  });
});

test('an attempt of before says nothing of a webhook that was changed in the meantime', async () => {
  await using receiver = await startReceiver();
  await using catalog = await open();
  const { workspaceId, database, admin } = catalog;
  const { id } = await webhook(catalog, receiver.url);
  const attempted = async (status: number) => {
    receiver.reply({ status });
    await enqueue(catalog, id, randomUUID());
    const newest = { where: { workspaceId }, orderBy: { createdAt: 'desc' } } as const;
    return deliverToWebhook(admin, await database.prisma.notification.findFirstOrThrow(newest));
  };
  const noted = ({ note }: DeliveryOutcome) => transaction(admin, async (tx) => note?.(tx));
  const well = { isEnabled: true, disabledReason: null, failures: 0, pausedUntil: null };
  for (const status of [410, 500, 200]) {
    const outcome = await attempted(status);
    await updateWebhook(admin, id, { url: `${receiver.url}&after=${status}` });
    await noted(outcome);
    expect(await database.prisma.webhook.findFirst({ where: { id } })).toMatchObject(well);
  }
  const [one, two] = [await attempted(410), await attempted(410)];
  await noted(one);
  await noted(two);
  const disabled = { where: { workspaceId, activityType: 'webhook_disabled' } };
  expect(await database.prisma.auditLog.count(disabled)).toBe(1);
  await updateWebhook(admin, id, { isEnabled: true });
  const last = await attempted(410);
  await deleteWebhook(admin, id);
  await noted(last);
});

test('deleting a webhook drops what waits for it and takes it out of rules', async () => {
  await using receiver = await startReceiver();
  await using catalog = await open();
  const { id } = await webhook(catalog, receiver.url);
  await createRule(catalog.admin, { name: 'All', webhookIds: [id], emails: ['a@example.com'] });
  await enqueue(catalog, id, 'one');
  const remove = `mutation ($id: ID!) { deleteWebhook(id: $id) { name } }`;
  expect((await catalog.graphql(remove, { id })).data.deleteWebhook).toEqual({
    name: 'Automation',
  });
  await workOff(catalog);
  expect(receiver.connections()).toBe(0);
  const jobs = await catalog.database.prisma.job.findMany({
    where: { workspaceId: catalog.workspaceId, kind: 'notifications.deliver' },
  });
  expect(jobs.map(({ state, lastError }) => [state, lastError])).toEqual([['succeeded', null]]);
  expect((await listRules(catalog.admin)).nodes.map(({ webhookIds }) => webhookIds)).toEqual([[]]);
});

test('two workers send each thing once', async () => {
  await using receiver = await startReceiver();
  await using catalog = await open();
  const { id } = await webhook(catalog, receiver.url);
  for (let n = 0; n < 20; n += 1) await enqueue(catalog, id, `thing ${n}`);
  await enqueue(catalog, id, 'thing 0');
  await workOff(catalog, 2);
  expect(receiver.received).toHaveLength(20);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(20);
});

test('only admins of the workspace may, and no one reads the secret', async () => {
  await using receiver = await startReceiver();
  await using catalog = await open();
  await using other = await catalog.another();
  const { id, secret } = await webhook(catalog, receiver.url);
  receiver.reply({ status: 500, body: `your secret is ${secret}` });
  await enqueue(catalog, id, 'one');
  await workOff(catalog);
  const [delivery] = (await logOf(catalog, id)).deliveries.nodes;
  const foreign = await createRule(other.admin, { name: 'x', webhookIds: [id] }).catch((e) => e);
  expect(foreign).toMatchObject({ fields: [{ field: 'webhook_ids' }] });
  const requests: [string, object][] = [
    ['query ($id: ID!) { webhook(id: $id) { id } }', { id }],
    ['mutation ($id: ID!) { updateWebhook(id: $id, input: { name: "x" }) { id } }', { id }],
    ['mutation ($id: ID!) { rotateWebhookSecret(id: $id) { secret } }', { id }],
    ['mutation ($id: ID!) { testWebhook(id: $id) { ok } }', { id }],
    ['mutation ($id: ID!) { redeliverWebhook(deliveryId: $id) { id } }', { id: delivery.id }],
    ['mutation ($id: ID!) { deleteWebhook(id: $id) { id } }', { id }],
  ];
  for (const [query, variables] of requests) {
    for (const role of ['viewer', 'editor'] as const) {
      const refused = await catalog.graphql(query, variables, { as: role });
      expect(refused.errors?.[0]?.extensions.code, query).toBe('FORBIDDEN');
    }
    const missing = await other.graphql(query, variables);
    expect(missing.errors?.[0]?.extensions.code, query).toBe('NOT_FOUND');
  }
  expect((await other.graphql('{ webhooks { nodes { id } } }')).data).toEqual({
    webhooks: { nodes: [] },
  });
  for (const { name } of await rows<{ name: string }>(
    catalog.admin,
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )) {
    const [found] = await rows<{ n: number }>(
      catalog.admin,
      `select count(*) as n from "${name}" t where strpos(t::text, $1) > 0`,
      [secret.slice(6)],
    );
    expect([name, found?.n]).toEqual([name, 0]);
  }
  expect(JSON.stringify(await logOf(catalog, id))).not.toContain(secret.slice(6));
});

test('another master key takes over, and without the right one nothing is sent', async () => {
  await using receiver = await startReceiver();
  await using catalog = await open();
  const { surroundings } = catalog;
  const { id, secret } = await webhook(catalog, receiver.url);
  const next = 'another-key-another-key-another-key';
  surroundings.masterKeys = keyRing({ secretsKey: next, dataDir: '' });
  const testHook = `mutation ($id: ID!) { testWebhook(id: $id) { ok reason } }`;
  const lost = await catalog.graphql(testHook, { id });
  expect(lost.data.testWebhook).toMatchObject({
    ...{ ok: false, reason: expect.stringContaining('SECRETS_KEY') },
  });
  expect(receiver.connections()).toBe(0);
  surroundings.masterKeys = keyRing({ secretsKey: `${next},${secretsKey}`, dataDir: '' });
  const { rewrapped, unknown } = await rewrapSecrets(catalog.database, surroundings.masterKeys);
  expect([rewrapped > 0, unknown]).toEqual([true, []]);
  expect((await rewrapSecrets(catalog.database, surroundings.masterKeys)).rewrapped).toBe(0);
  surroundings.masterKeys = keyRing({ secretsKey: next, dataDir: '' });
  expect((await catalog.graphql(testHook, { id })).data.testWebhook.ok).toBe(true);
  const [ping] = receiver.received;
  expect(ping && verify(secret, ping)).toBe(true);
  surroundings.masterKeys = keyRing({ secretsKey, dataDir: '' });
});
