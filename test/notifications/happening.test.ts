// Webhooks of what people wait for: each happening once, in the form of all other messages, with the address of its page.

import { expect, test } from 'vitest';
import { rows } from '../../src/database/rows.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { enqueueJob } from '../../src/jobs/job.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { parsePrivateHosts } from '../../src/network/address.ts';
import { createWebhook, updateWebhook } from '../../src/notifications/webhooks/webhook.ts';
import { handlers } from '../../src/work.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { startReceiver } from './webhook-server.ts';

const publicUrl = 'https://catalog.example.com';

async function open(): Promise<Catalog> {
  const catalog = await openCatalog();
  const { surroundings } = catalog;
  surroundings.reach = { privateHosts: parsePrivateHosts('127.0.0.1/32'), filesDir: null };
  Object.assign(surroundings, { signIn: { ...surroundings.signIn, publicUrl } });
  return catalog;
}

test('questions, lineage, acknowledgements and ends of jobs reach the webhooks that ask for them', async () => {
  await using receiver = await startReceiver();
  await using catalog = await open();
  const events = [
    ...['question_asked', 'question_answered', 'lineage_changed', 'incident_acknowledged'],
    ...['job_succeeded', 'job_failed'],
  ];
  const input = { name: 'Bot', url: receiver.url };
  const { webhook } = await createWebhook(catalog.admin, { ...input, events });
  await createWebhook(catalog.admin, { ...input, name: 'Other', events: ['incident_opened'] });
  const ask = async (query: string) => {
    const { data, errors } = await catalog.graphql(`mutation { it: ${query} }`);
    expect(errors).toBeUndefined();
    return data.it;
  };

  const question = await ask('createQuestion(input: { title: "Net or gross?" }) { id }');
  await ask(
    `createReply(input: { parentId: "${question.id}", definition: "Net.", acceptedAnswer: true }) { id }`,
  );
  const [from, to] = [await catalog.resource({ title: 'raw' }), await catalog.resource()];
  const edge = await ask(`createLineage(input: { fromId: "${from.id}", toId: "${to.id}" }) { id }`);
  await ask(`deleteLineage(id: "${edge.id}")`);
  const monitor = await ask(
    `createMonitor(input: { targetId: "${to.id}", metricType: row_count, name: "rows" }) { id }`,
  );
  const { workspaceId } = catalog;
  const about = { name: 'rows', summary: 'Too few', value: 1 };
  const incident = await catalog.database.prisma.incident.create({
    data: { workspaceId, monitorId: monitor.id, targetId: to.id, ...about },
  });
  await ask(`updateIncident(id: "${incident.id}", input: { status: acknowledged }) { id }`);
  await enqueueJob(catalog.admin, { kind: 'bake', title: 'Bake' });
  await enqueueJob(catalog.admin, { kind: 'burn', title: 'Burn', maxAttempts: 1 });

  const { database, surroundings } = catalog;
  const worker = startWorker({
    ...{ database, surroundings },
    handlers: {
      ...handlers,
      bake: async () => ({ loaves: 3 }),
      burn: async () => {
        throw new Error('The oven is on fire.');
      },
    },
    onError() {},
  });
  await expect.poll(() => receiver.received.length).toBe(7);
  await expect.poll(() => waiting(catalog)).toBe(0);
  await worker.stop();

  const sent = receiver.received.map(({ body }) => JSON.parse(body));
  const of = (type: string) => sent.filter((one) => one.type === type).map(({ data }) => data);
  expect(of('question_asked')).toEqual([
    expect.objectContaining({
      question: { id: question.id, title: 'Net or gross?', answer: null },
      url: `${publicUrl}/resource/${question.id}`,
    }),
  ]);
  expect(of('question_answered')).toHaveLength(1);
  const page = { url: `${publicUrl}/lineage/${to.id}` };
  expect(of('lineage_changed').toSorted((a, b) => a.what.localeCompare(b.what))).toEqual([
    expect.objectContaining({ ...page, what: 'deleted' }),
    expect.objectContaining({
      ...{ ...page, what: 'drawn', sources: [{ id: from.id, kind: 'table', title: 'raw' }] },
    }),
  ]);
  expect(of('incident_acknowledged')).toEqual([
    expect.objectContaining({
      incident: expect.objectContaining({ id: incident.id, summary: 'Too few' }),
      url: `${publicUrl}/incidents/${incident.id}`,
    }),
  ]);
  // What the server does of its own accord to notify, it does not tell of.
  expect(of('job_succeeded')).toEqual([
    expect.objectContaining({
      job: expect.objectContaining({ kind: 'bake', title: 'Bake', error: null }),
      url: `${publicUrl}/imports`,
    }),
  ]);
  expect(of('job_failed').map(({ job }) => job.kind)).toEqual(['burn']);

  // Nothing is written where no one asks for it.
  await updateWebhook(catalog.admin, webhook.id, { isEnabled: false });
  await ask('createQuestion(input: { title: "Still there?" }) { id }');
  expect(await waiting(catalog)).toBe(0);
});

async function waiting(catalog: Catalog): Promise<number> {
  const [{ count } = { count: 0 }] = await rows<{ count: number }>(
    catalog.admin,
    Prisma.sql`select count(*)::integer as count from job where state in ('queued', 'running')`,
  );
  return count;
}

test('a happening that webhooks do not know is refused with those that they do', async () => {
  await using catalog = await open();
  const input = { name: 'Bot', url: 'https://example.com/', events: ['job_lost'] };
  await expect(createWebhook(catalog.admin, input)).rejects.toThrow('question_asked');
});
