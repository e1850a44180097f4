// Webhooks of what people wait for: each happening once, in the form of all other messages, with the address of its page.

import { expect, test } from 'vitest';
import { rows } from '../../src/database/rows.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { importJob } from '../../src/integrations/sync-key.ts';
import { syncJob } from '../../src/integrations/syncs/live-sync.ts';
import { enqueueJob } from '../../src/jobs/job.ts';
import { jobKinds } from '../../src/jobs/job-kind.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { traceJob } from '../../src/lineage/queries/trace-job.ts';
import { runJob } from '../../src/monitors/runs/due.ts';
import { parsePrivateHosts } from '../../src/network/address.ts';
import { createWebhook, updateWebhook } from '../../src/notifications/webhooks/webhook.ts';
import { handlers } from '../../src/work.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { ended } from '../jobs/ended.ts';
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
  await enqueueJob(catalog.admin, { kind: syncJob, title: 'Sync' });
  await enqueueJob(catalog.admin, { kind: runJob, title: 'Run', maxAttempts: 1 });

  const { database, surroundings } = catalog;
  const worker = startWorker({
    ...{ database, surroundings },
    handlers: {
      ...handlers,
      [syncJob]: async () => ({ tables: 3 }),
      [runJob]: async () => {
        throw new Error('The warehouse is on fire.');
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
      job: expect.objectContaining({ kind: 'sync', title: 'Sync', error: null }),
      url: `${publicUrl}/imports`,
    }),
  ]);
  expect(of('job_failed').map(({ job }) => job.kind)).toEqual(['monitors.run']);

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

test('the kinds of jobs are those that something handles, and uploads, which their own process does', () => {
  expect(jobKinds.toSorted()).toEqual([...Object.keys(handlers), importJob].sort());
});

test('the end of a job that no one waits for looks for no webhook', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { database, surroundings } = catalog;
  const input = { name: 'All', url: 'https://example.com/', events: ['job_succeeded'] };
  await createWebhook(catalog.admin, input);
  const statementsOf = async (kind: string) => {
    const { job } = await enqueueJob(catalog.admin, { kind, title: kind });
    const statements: string[] = [];
    const stop = database.onStatement((text) => statements.push(text));
    const worker = startWorker({
      ...{ database, surroundings, handlers: { [kind]: async () => null } },
      onError() {},
    });
    expect((await ended(catalog.admin, job)).state).toBe('succeeded');
    await worker.stop();
    stop();
    return statements.filter((text) => /^with ended as.*\bwebhook\b/s.test(text));
  };
  expect(await statementsOf(traceJob)).toEqual([]);
  expect(await statementsOf(syncJob)).toHaveLength(1);
});

test('a webhook in the form of another service is sent what begins or ends alone', async () => {
  await using catalog = await open();
  const url = 'https://events.example.com/v2/enqueue';
  const pager = { name: 'Pager', url, format: 'pagerduty', key: 'key' };
  const wrong = createWebhook(catalog.admin, { ...pager, events: ['lineage_changed'] });
  await expect(wrong).rejects.toThrow(
    'events: The form of pagerduty has none for lineage_changed. Use some of incident_opened,',
  );
  const events = ['incident_opened', 'monitor_failed'];
  const { webhook } = await createWebhook(catalog.admin, { ...pager, events });
  const more = updateWebhook(catalog.admin, webhook.id, { events: ['resource_changed'] });
  await expect(more).rejects.toThrow('The form of pagerduty has none for resource_changed.');
});
