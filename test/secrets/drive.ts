// Makes a server meet its secrets: it connects, fails, is misused, and is asked.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { z } from 'zod';
import { deliverJob } from '../../src/notifications/outbox/outbox.ts';
import { type Places, plantings, secrets, teach } from './places.ts';
import type { Known, Visitor } from './visitor.ts';

const withId = z.object({ id: z.string() }).loose();

/** Make integrations, by both languages in turn, and let each be tried and synced. */
export async function plant(visitor: Visitor, places: Places): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [n, { type, name, credentials }] of plantings(places).entries()) {
    const made =
      n % 2 === 0
        ? await visitor.http('POST', 'integration/integrations', { type, name, credentials })
        : (await visitor.graphql(createIntegration, { type, input: { name, credentials } })).data
            ?.createIntegration;
    ids.set(`${type} ${name}`, withId.parse(made).id);
  }
  for (const [name, id] of ids) {
    const { data } = await visitor.graphql(
      `mutation ($id: ID!) { testConnection(integrationId: $id) { ok version checks {
        name state message fix } } }`,
      { id },
    );
    const isRight = name.endsWith(' right');
    if (isRight !== (data?.testConnection?.ok ?? false)) throw new Error(`${name} is not right.`);
    await visitor.graphql('mutation ($id: ID!) { triggerSync(integrationId: $id) { id } }', { id });
  }
  await quiet(visitor);
  return ids;
}

const createIntegration = `mutation ($type: String!, $input: CreateIntegrationInput!) {
  createIntegration(type: $type, input: $input) { id name credentials hasCredentials } }`;

/** Monitors whose queries make the source say the password, when tried or later, and one that opens an incident. */
export async function watch(visitor: Visitor, places: Places): Promise<void> {
  const { data } = await visitor.graphql(
    `{ resources(kinds: [table], first: 50) { nodes { id title } } }`,
  );
  const tables = z.array(withId.extend({ title: z.string() })).parse(data?.resources?.nodes);
  await visitor.graphql(`mutation { createNotificationRule(input: {
    name: "all", emails: ["people@example.com"], chatChannels: ["C2"] }) { id } }`);
  const made: string[] = [];
  const telling: object[] = [];
  for (const { id: targetId } of tables.filter(({ title }) => title === 'orders')) {
    for (const call of ['tell()', 'tell_hex()']) {
      const metricConfig = { querySelect: `select ${call}` };
      telling.push({ targetId, metricType: 'custom_sql', metricConfig });
    }
    const range = { conditionManualMax: 1, conditionAutoSensitivity: null };
    const input = { targetId, metricType: 'row_count', notifyChatChannel: 'C1', ...range };
    made.push(await createMonitor(visitor, input));
  }
  await teach(places, true);
  for (const input of telling) {
    await expect(createMonitor(visitor, input)).rejects.toThrow('The source refused');
  }
  await teach(places, false);
  for (const input of telling) made.push(await createMonitor(visitor, input));
  await teach(places, true);
  await visitor.http('POST', 'monitor/monitors/run', { monitors: made });
  await quiet(visitor);
  await until(() => places.mail.logins.length > 0 && places.chat.asked.length > 0);
}

async function createMonitor(visitor: Visitor, input: object): Promise<string> {
  const query = 'mutation ($input: CreateMonitorInput!) { createMonitor(input: $input) { id } }';
  const { data, errors } = await visitor.graphql(query, { input });
  if (errors) throw new Error(errors[0]?.message);
  return withId.parse(data?.createMonitor).id;
}

/** Bad input that holds secrets, in every place where input can be bad. */
export async function misuse(visitor: Visitor, id: string): Promise<void> {
  const secret = secrets.typed.secret;
  const credentials = { password: secret };
  const broken = [
    { type: 'postgres', input: { credentials: secret } },
    { type: 'postgres', input: { credentials: [secret] } },
    { type: 'postgres', input: { credentials, colour: 'red' } },
    { type: 'postgres', input: { credentials, name: credentials } },
    { type: 'postgres', input: { credentials, teamIds: [credentials] } },
    { type: 'postgres', input: { credentials, scheduledExtractionsHour: secret } },
    { type: 'custom', input: { credentials } },
    { type: credentials, input: { credentials } },
    { type: 'postgres', input: [credentials] },
    { type: 'postgres', input: secret },
  ];
  for (const variables of broken) await visitor.graphql(createIntegration, variables);
  for (const { type, input } of broken) {
    const body = Array.isArray(input) || typeof input === 'string' ? input : { type, ...input };
    await visitor.http('POST', 'integration/integrations', body);
    await visitor.http('PATCH', `integration/integrations/${id}`, body);
  }
  await visitor.http('POST', 'integration/integrations', `{"credentials": "${secret}`);
  const tries = [
    { ...credentials, host: '127.0.0.1', port: secret, database: 'x', user: 'x' },
    { password: { deep: secret }, host: '127.0.0.1', database: 'x', user: 'x' },
    { password: secret, host: '169.254.169.254', database: 'x', user: 'x' },
    { password: secret, host: 'no-such-host.invalid', database: 'x', user: 'x' },
    { password: secret, host: [secret], ssl: secret, ca: [secret] },
    { password: secret, host: '127.0.0.1', database: 'x', user: 'x', ssl: 'require', ca: secret },
    secret,
    [secret],
  ];
  const query = `mutation ($id: ID!, $credentials: JSON) {
    testConnection(integrationId: $id, credentials: $credentials) { ok checks { message fix } } }`;
  for (const credentials of tries) await visitor.graphql(query, { id, credentials });
  const password = { password: secrets.tried.secret };
  await visitor.graphql(query, {
    id,
    credentials: { host: '127.0.0.1', database: 'x', user: 'x', ...password },
  });
  await misuseText(visitor);
}

/** Secrets in the text of a query that is wrong somewhere: next to them, and at them. */
async function misuseText(visitor: Visitor): Promise<void> {
  const secret = secrets.inline.secret;
  const given = `credentials: { password: "${secret}" }`;
  for (const query of [
    `mutation { createIntegration(type: 5, input: { ${given} }) { id } }`,
    `mutation { createIntegration(input: { ${given}, colour: 5 }) { id } }`,
    `mutation { createIntegration(input: { name: { ${given} } }) { id } }`,
    `mutation { createIntegration(input: [{ ${given} }, { name: 5 }]) { id } }`,
    `mutation { createIntegration(input: { credentials: { p: "${secret}" }) { id } }`,
    `mutation { createIntegration(input: { name: "x", credentials: "${secret}" }) { id } }`,
    `mutation { createIntegration(input: { name: "x", scheduledExtractionsHour: "${secret}" }) { id } }`,
    `mutation { createIntegration(input: "${secret}") { id } }`,
    `mutation { createIntegration "${secret}" { id } }`,
    `mutation ($c: JSON = "${secret}") { createIntegration(input: { name: "x", credential: $c }) { id } }`,
    `mutation { createIntegration(input: { credentials: "${secret}`,
    `query { integrations(first: "${secret}") { nodes { id } } }`,
  ]) {
    await visitor.graphql(query);
  }
}

/** Wait until no job waits or runs for the first time; what failed is tried again later. */
async function quiet(visitor: Visitor): Promise<void> {
  const jobs = z.array(z.object({ kind: z.string(), state: z.string(), attempts: z.number() }));
  await until(async () => {
    const { data } = await visitor.graphql(
      '{ jobs(first: 100) { nodes { kind state attempts } } }',
    );
    return jobs.parse(data?.jobs?.nodes).every(({ kind, state, attempts }) => {
      const isLater = state === 'queued' && (attempts > 0 || kind === deliverJob);
      return isLater || !['queued', 'running'].includes(state);
    });
  });
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (await isSo()) return;
    await sleep(100);
  }
  throw new Error(`It does not come about: ${isSo}`);
}

/** The ids of what there is, by kind. */
export async function known(visitor: Visitor): Promise<Known> {
  const lists = ['integrations', 'jobs', 'monitors', 'incidents'];
  const { data } = await visitor.graphql(
    `{ ${lists.map((list) => `${list}(first: 100) { nodes { id } }`).join(' ')} }`,
  );
  const page = z.object({ nodes: z.array(withId) });
  return Object.fromEntries(
    lists.map((list) => [list.slice(0, -1), page.parse(data?.[list]).nodes.map(({ id }) => id)]),
  );
}
