// A webhook of the dbt platform: what it starts, once, and everything that it is refused for.

import { createHmac, randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { createIntegration, updateIntegration } from '../../../src/integrations/integration.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { openLivePlace } from '../warehouses/live-place.ts';
import { bakeryFiles, startPlatform } from './store-fake.ts';

const secret = 'the-secret-of-the-webhook';
const login = {
  ...{ artifacts: 'platform', host: 'ab123.us1.dbt.com', account_id: '5', job_id: '7' },
  ...{ token: 'dbtc_the-token', webhook_secret: secret },
};
const ended = {
  ...{ accountId: 5, webhookId: 'wsu_1', eventId: 'wev_1', webhookName: 'Headwater' },
  ...{ timestamp: '2026-03-01T10:00:03.7Z', eventType: 'job.run.completed' },
  data: { jobId: '7', runId: '11', runStatus: 'Success', runFinishedAt: '2026-03-01T10:00:00Z' },
};

const signatureOf = (body: string | Buffer, by = secret) =>
  createHmac('sha256', by).update(body).digest('hex');

const opened: Catalog[] = [];
afterEach(() => {
  expect(opened.splice(0).flatMap(({ unexpected }) => unexpected)).toEqual([]);
});

/** Send a body to the webhook of an integration, signed unless another header is given. */
async function send(
  catalog: Catalog,
  id: string,
  body: string | object,
  authorization: string | null = signatureOf(
    typeof body === 'string' ? body : JSON.stringify(body),
  ),
) {
  if (!opened.includes(catalog)) opened.push(catalog);
  const { status, body: answer } = await catalog.rest('POST', `/integration/dbt/${id}/webhook/`, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    caller: { key: null },
    headers: authorization === null ? {} : { authorization },
  });
  return { status, answer };
}

const project = (catalog: Catalog, credentials: object = login) =>
  createIntegration(catalog.admin, {
    ...{ name: 'Bakery', type: 'dbt_core', credentials: { ...credentials } },
  });

const syncsOf = (catalog: Catalog) =>
  catalog.database.prisma.job.findMany({
    where: { workspaceId: catalog.workspaceId, kind: 'sync' },
  });

test('a run that ended is read after its webhook, once, however often the message comes', async () => {
  const run = { id: 11, status: 10, finished_at: '2026-03-01 10:00:00.123456+00:00' };
  await using platform = await startPlatform([{ ...run, steps: [bakeryFiles()] }]);
  const endpoint = `http://127.0.0.1:${platform.port}`;
  await using place = await openLivePlace('dbt_core', { ...login, endpoint });
  const { catalog, integrationId } = place;
  const first = await send(catalog, integrationId, ended);
  expect(first).toEqual({ status: 202, answer: { job_id: expect.any(String) } });
  await expect
    .poll(async () => (await syncsOf(catalog)).map(({ state }) => state), { timeout: 30_000 })
    .toEqual(['succeeded']);
  expect((await place.resources('table')).map(({ titleFull }) => titleFull)).toContain(
    'bakery.main.daily',
  );

  const again = await send(catalog, integrationId, ended);
  expect(again).toEqual({ status: 200, answer: { ignored: 'This run was read before.' } });
  expect(await syncsOf(catalog)).toHaveLength(1);
  const noted = await catalog.database.prisma.auditLog.findMany({
    where: { workspaceId: catalog.workspaceId, activityType: 'integration_sync_started' },
  });
  expect(noted).toMatchObject([{ performerId: null, performerType: 'SYSTEM' }]);
});

test('of messages at the same time one starts a sync, and the others are to come again', async () => {
  await using catalog = await openCatalog();
  const { id } = await project(catalog);
  const later = { ...ended, data: { ...ended.data, runId: '12' } };
  const answers = await Promise.all(
    [ended, later, ended, later, ended, ended].map((one) => send(catalog, id, one)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409, 409]);
  const [job, ...more] = await syncsOf(catalog);
  expect(more).toEqual([]);
  expect(job).toMatchObject({ userId: null, payload: { integrationId: id } });
});

test('each copy of a workspace with this secret is synced, whatever becomes of the others', async () => {
  await using catalog = await openCatalog();
  const { id } = await project(catalog);
  const copyOf = async (credentials: object | null) => {
    const copy = await catalog.another();
    const { prisma } = catalog.database;
    const { workspaceId: _, ...row } = await prisma.integration.findFirstOrThrow({ where: { id } });
    // As it was sealed for the other workspace, so that this one cannot unseal it.
    await prisma.integration.create({
      data: { ...row, properties: {}, workspaceId: copy.workspaceId },
    });
    if (credentials) {
      await updateIntegration(copy.admin, id, { credentials: { ...credentials } });
    }
    return copy;
  };
  const sealed = await copyOf(null);
  const same = await copyOf(login);
  const other = await copyOf({ ...login, webhook_secret: 'another secret' });
  const elsewhere = await copyOf({ ...login, job_id: '8' });
  const counts = () =>
    Promise.all(
      [catalog, same, sealed, other, elsewhere].map(async (one) => (await syncsOf(one)).length),
    );
  const job = await send(catalog, id, ended);
  expect(job.status).toBe(202);
  expect(await counts()).toEqual([1, 1, 0, 0, 0]);
  expect((await syncsOf(catalog)).map((one) => one.id)).toEqual([job.answer.job_id]);

  // One is over: the message that comes again syncs it, and says that the other is in progress.
  await catalog.database.prisma.job.updateMany({
    where: { workspaceId: same.workspaceId, kind: 'sync' },
    data: { state: 'succeeded', completedAt: new Date() },
  });
  expect((await send(catalog, id, ended)).status).toBe(409);
  expect(await counts()).toEqual([1, 2, 0, 0, 0]);
  expect((await send(catalog, id, ended, signatureOf('{}'))).status).toBe(401);
});

test('a message that is not signed for this project is refused, and starts nothing', async () => {
  await using catalog = await openCatalog();
  const { id } = await project(catalog);
  const { id: unset } = await project(catalog, { ...login, webhook_secret: '' });
  const { id: other } = await project(catalog, { ...login, webhook_secret: 'another secret' });
  const { id: bare } = await project(catalog, {});
  const text = JSON.stringify(ended);
  const refused: readonly (readonly [string, string, string | null])[] = [
    [id, text, null],
    [id, text, ''],
    [id, text, signatureOf(`${text} `)],
    [id, `${text} `, signatureOf(text)],
    [id, text, signatureOf(text, 'another secret')],
    [id, text, signatureOf(text).slice(0, 62)],
    [id, text, `sha256=${signatureOf(text)}`],
    [id, text, `Bearer ${catalog.keyOf('admin')}`],
    [other, text, signatureOf(text)],
    [unset, text, signatureOf(text, '')],
    [unset, text, signatureOf(text)],
    [bare, text, signatureOf(text)],
    [(await catalog.integration({ type: 'postgres' })).id, text, signatureOf(text)],
    [randomUUID(), text, signatureOf(text)],
    ['none', text, signatureOf(text)],
    ['%00', text, signatureOf(text)],
  ];
  for (const [at, body, authorization] of refused) {
    const { status, answer } = await send(catalog, at, body, authorization);
    expect(status, `${at} ${authorization}`).toBe(401);
    expect(answer.detail).toContain('secret of the webhook');
    expect(JSON.stringify(answer)).not.toContain(secret);
  }
  expect(await syncsOf(catalog)).toEqual([]);

  // A secret that is emptied is no secret any more.
  await updateIntegration(catalog.admin, id, {
    credentials: { ...login, webhook_secret: ' ' },
  });
  expect((await send(catalog, id, ended, signatureOf(text, ' '))).status).toBe(401);
  expect((await send(catalog, id, ended)).status).toBe(401);
});

test('what is signed, and no run of the job that ended, is answered with the reason', async () => {
  await using catalog = await openCatalog();
  const { id } = await project(catalog);
  const { id: folder } = await project(catalog, {
    ...login,
    artifacts: 'https',
    address: 'https://a.b',
  });
  const { data } = ended;
  for (const [body, why] of [
    [{ ...ended, accountId: 6 }, 'another job'],
    [{ ...ended, data: { ...data, jobId: '8' } }, 'another job'],
    [{ ...ended, eventType: 'job.run.started' }, 'job.run.completed'],
    [{ ...ended, eventType: 'job.run.errored' }, 'job.run.completed'],
    [{ ...ended, data: null }, 'messages about runs'],
    [{ ...ended, accountId: {} }, 'messages about runs'],
    ['[]', 'messages about runs'],
    ['{', 'messages about runs'],
    ['', 'messages about runs'],
    ['\u0000', 'messages about runs'],
    [`${'['.repeat(30_000)}`, 'messages about runs'],
  ] as const) {
    const { status, answer } = await send(catalog, id, body);
    expect([status, answer.ignored]).toEqual([200, expect.stringContaining(why)]);
  }
  expect((await send(catalog, folder, ended)).answer.ignored).toContain('another job');
  const large = await send(catalog, id, JSON.stringify({ ...ended, more: 'x'.repeat(70_000) }));
  expect(large.status).toBe(413);
  expect(await syncsOf(catalog)).toEqual([]);
  const odd = { ...ended, data: { ...data, jobId: 7, runFinishedAt: 'today' }, accountId: '5' };
  expect((await send(catalog, id, odd)).status).toBe(202);
});
