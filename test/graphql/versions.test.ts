// Changes that expect a version: they are done to just that one, or not at all.

import { isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { createServiceAccount } from '../../src/people/service-account.ts';
import { createAnnouncement } from '../../src/resources/announcements/announcement.ts';
import { createComment } from '../../src/resources/comments/resource-comment.ts';
import {
  createQuestion,
  createReply,
  updateReply,
} from '../../src/resources/questions/question.ts';
import { getResource } from '../../src/resources/resource.ts';
import { type Answer, type Catalog, openCatalog } from '../catalog.ts';

/** Mutations that change one record which was there, and their records: how to make one. */
const mutations: Readonly<Record<string, (kit: Kit) => Promise<Target>>> = {
  updateResource: async ({ catalog }) => ({ ...(await catalog.resource()), input: { pii: true } }),
  archiveResource: ({ catalog }) => catalog.resource(),
  restoreResource: async ({ catalog, ask }) => {
    const { id } = await catalog.resource();
    return (await ask('archiveResource', `(id: "${id}")`)).data.archiveResource;
  },
  updateQuestion: async ({ catalog }) => ({
    ...(await catalog.resource({ kind: 'question' })),
    input: { answer: 'Yes' },
  }),
  updateReply: async (kit) => {
    const { id: parentId } = await kit.catalog.resource({ kind: 'question' });
    const reply = await kit.catalog.resource({ kind: 'question_reply', parentId });
    return { ...reply, input: { acceptedAnswer: true } };
  },
  updateTeam: async ({ catalog }) => ({ ...(await catalog.team()), input: { icon: '💰' } }),
  archiveTeam: ({ catalog }) => catalog.team(),
  updateTag: async ({ catalog }) => ({ ...(await catalog.tag()), input: { icon: '💰' } }),
  deleteTag: ({ catalog }) => catalog.tag(),
  updateCustomProperty: async ({ catalog }) => ({
    ...(await catalog.property()),
    input: { description: 'What it costs' },
  }),
  replaceCustomProperty: async ({ catalog }) => ({
    ...(await catalog.property()),
    input: { name: 'Cost' },
  }),
  deleteCustomProperty: ({ catalog }) => catalog.property(),
  setCustomProperty: async ({ catalog }) => {
    const [property, { id: resourceId, version }] = [
      await catalog.property(),
      await catalog.resource(),
    ];
    return { id: property.id, version, more: { resourceId, value: 'dear' } };
  },
  updateUser: async ({ catalog }) => ({ ...(await catalog.user()), input: { title: 'Analyst' } }),
  deactivateUser: ({ catalog }) => catalog.user(),
  updateServiceAccount: async ({ catalog }) => ({
    ...(await createServiceAccount(catalog.admin, { name: 'pipeline' })),
    input: { name: 'robot' },
  }),
  updateGroup: async ({ catalog }) => ({
    ...(await catalog.group()),
    input: { description: 'They ask' },
  }),
  deleteGroup: ({ catalog }) => catalog.group(),
  updateIntegration: async ({ catalog }) => ({
    ...(await catalog.integration()),
    input: { properties: { publish_imports: false } },
  }),
  deleteIntegration: ({ catalog }) => catalog.integration(),
  updateNotificationRule: async (kit) => ({ ...(await rule(kit)), input: { upstream: true } }),
  deleteNotificationRule: (kit) => rule(kit),
  updateAnnouncement: async (kit) => ({ ...(await announcement(kit)), input: { text: 'Two' } }),
  deleteAnnouncement: (kit) => announcement(kit),
  updateComment: async (kit) => ({ ...(await comment(kit)), input: { text: 'Two' } }),
  deleteComment: (kit) => comment(kit),
  updateMaintenanceWindow: async (kit) => ({ ...(await quiet(kit)), input: { measures: false } }),
  deleteMaintenanceWindow: (kit) => quiet(kit),
  updateWebhook: async (kit) => ({ ...(await webhook(kit)), input: { isEnabled: false } }),
  deleteWebhook: (kit) => webhook(kit),
  updateMonitor: async (kit) => ({ ...(await monitor(kit)), input: { isEnabled: false } }),
  deleteMonitor: (kit) => monitor(kit),
  updateIncident: async (kit) => ({
    ...(await incident(kit)),
    input: { comment: 'I look at it.' },
  }),
  deleteLineage: async ({ catalog }) => {
    const [source, target] = [await catalog.resource(), await catalog.resource()];
    const { createLineage } = await import('../../src/lineage/edge.ts');
    return createLineage(catalog.admin, { fromId: source.id, toId: target.id });
  },
};

interface Target {
  readonly id: string;
  readonly version: number;
  readonly input?: object;
  readonly more?: object;
}

interface Kit {
  readonly catalog: Catalog;
  ask(mutation: string, rest: string, variables?: object): Promise<Answer>;
}

async function rule({ catalog }: Kit): Promise<Target> {
  const { workspaceId, database } = catalog;
  const emails = ['a@example.com'];
  return database.prisma.notificationRule.create({
    data: { workspaceId, name: 'Rule', events: ['incident_opened'], emails },
  });
}

function announcement({ catalog }: Kit): Promise<Target> {
  return createAnnouncement(catalog.admin, { text: 'One' });
}

async function comment({ catalog }: Kit): Promise<Target> {
  const { id: resourceId } = await catalog.resource();
  return createComment(catalog.admin, { resourceId, text: 'One' });
}

async function quiet({ catalog }: Kit): Promise<Target> {
  const { workspaceId, database } = catalog;
  const times = { fromTime: '22:00', untilTime: '04:00' };
  return database.prisma.maintenanceWindow.create({
    data: { workspaceId, name: 'Quiet', ...times },
  });
}

async function webhook({ catalog }: Kit): Promise<Target> {
  const { data } = await catalog.graphql(
    'mutation($i: CreateWebhookInput!) { createWebhook(input: $i) { webhook { id version } } }',
    { i: { name: 'Hook', url: 'https://hooks.example.com/a' } },
  );
  return data.createWebhook.webhook;
}

async function monitor({ catalog }: Kit) {
  const { id: targetId } = await catalog.resource();
  const { workspaceId, database } = catalog;
  return database.prisma.monitor.create({
    data: { workspaceId, targetId, metricType: 'row_count', name: 'Rows' },
  });
}

async function incident(kit: Kit): Promise<Target> {
  const { id: monitorId, targetId, workspaceId } = await monitor(kit);
  return kit.catalog.database.prisma.incident.create({
    data: { workspaceId, monitorId, targetId, name: 'Rows', summary: 'Too few', value: 1 },
  });
}

function kitOf(catalog: Catalog): Kit {
  return {
    catalog,
    ask(mutation, rest, variables) {
      const field = schema.getMutationType()?.getFields()[mutation];
      const fields = String(field?.type) === 'ID' ? '' : ' { id version }';
      return catalog.graphql(`mutation { ${mutation}${rest}${fields} }`, variables);
    },
  };
}

/** The arguments of a mutation of one record, written out. */
function argumentsOf({ id, input, more }: Target, expectedVersion: number): string {
  const written = (value: object) =>
    Object.entries(value)
      .map(([name, one]) => `${name}: ${literal(one)}`)
      .join(', ');
  const literal = (value: unknown): string =>
    typeof value === 'object' && value !== null ? `{ ${written(value)} }` : JSON.stringify(value);
  const all = { id, ...(input ? { input } : {}), ...more, expectedVersion };
  return `(${written(all)})`;
}

test.each(Object.keys(mutations))(
  '%s is done to the version that is expected, and to no other',
  async (name) => {
    await using catalog = await openCatalog();
    const kit = kitOf(catalog);
    const target = await mutations[name]?.(kit);
    if (!target) throw new Error(`Nothing is known of ${name}.`);
    for (const expected of [target.version + 1, 0, -1]) {
      const refused = await kit.ask(name, argumentsOf(target, expected));
      expect(refused.errors?.[0]?.extensions).toMatchObject({
        code: 'CONFLICT',
        currentVersion: target.version,
      });
    }
    const { data, errors } = await kit.ask(name, argumentsOf(target, target.version));
    expect(errors).toBeUndefined();
    const after = data[name]?.version;
    if (after !== undefined && !/^delete/.test(name)) expect(after).toBeGreaterThan(target.version);
    expect(catalog.unexpected).toEqual([]);
  },
);

test('every mutation that changes or deletes one record takes the version that is expected', () => {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  const changing = /^(update|archive|restore|delete|replace|deactivate|setCustomProperty$)/;
  const wanted = fields.filter(({ name, args }) => {
    const isOfOne = args.some((arg) => arg.name === 'id');
    // A search is one person's own, and replaced by its name.
    return isOfOne && changing.test(name) && name !== 'deleteSavedSearch';
  });
  expect(wanted.map(({ name }) => name).sort()).toEqual(Object.keys(mutations).sort());
  for (const { name, args } of wanted) {
    const types = args.filter((arg) => arg.name === 'expectedVersion').map(({ type }) => type);
    expect([name, types.map(String)]).toEqual([name, ['Int']]);
  }
});

test('everything that people edit says its version', () => {
  const types = ['Team', 'Tag', 'CustomProperty', 'Monitor', 'Group', 'User', 'Integration'];
  const others = [
    'Incident',
    'NotificationRule',
    'MaintenanceWindow',
    'Announcement',
    'Comment',
    'Webhook',
    'LineageEntry',
    'Document',
    'Question',
  ];
  for (const name of [...types, ...others]) {
    const type = schema.getType(name);
    const field = isObjectType(type) ? type.getFields().version : undefined;
    expect([name, String(field?.type)]).toEqual([name, 'Int!']);
  }
});

test('the error says who saved what, and when, since the version that was expected', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource();
  const change = (caller: 'admin' | 'editor', input: object, version?: number) =>
    catalog.graphql(
      `mutation($id: ID!, $input: UpdateResourceInput!, $version: Int) {
        updateResource(id: $id, input: $input, expectedVersion: $version) { version } }`,
      { id, input, version },
      { as: caller },
    );
  const tag = await catalog.tag();
  catalog.setTime(new Date('2026-11-22T10:00:00Z'));
  await change('admin', { description: 'one' }, 1);
  catalog.setTime(new Date('2026-11-22T11:00:00Z'));
  await change('editor', { definition: 'two', addTagIds: [tag.id] }, 2);

  const since = async (version: number) =>
    (await change('admin', { pii: true }, version)).errors?.[0];
  const editor = {
    id: catalog.idOf('editor'),
    name: 'editor Example',
    email: 'editor@example.com',
  };
  const last = {
    code: 'CONFLICT',
    currentVersion: 3,
    changedBy: editor,
    changedAt: '2026-11-22T11:00:00.000Z',
  };
  expect((await since(2))?.extensions).toEqual({
    ...last,
    changedFields: ['definition', 'tagIds'],
  });
  expect((await since(1))?.extensions).toEqual({
    ...last,
    changedFields: ['definition', 'description', 'tagIds'],
  });
  expect((await since(7))?.extensions).toMatchObject({ currentVersion: 3, changedFields: null });
  expect((await since(2))?.message).toBe(
    'editor Example changed definition, tagIds. Reload and try again.',
  );
  expect(await catalog.graphql(`{ resource(id: "${id}") { pii version } }`)).toEqual({
    data: { resource: { pii: false, version: 3 } },
  });
});

test('what an import changed is no one’s, and is a conflict as well', async () => {
  await using catalog = await openCatalog();
  const { id: integrationId } = await catalog.integration();
  const feed = (description: string) =>
    catalog.graphql(
      'mutation($i: ID!, $r: String!) { importJsonl(integrationId: $i, resources: $r) { updated } }',
      {
        i: integrationId,
        r: JSON.stringify({ entity_type: 'table', databuilder_id: 'orders', description }),
      },
    );
  await feed('one');
  const { data } = await catalog.graphql('{ resources(kinds: [table]) { nodes { id version } } }');
  const [{ id, version }] = data.resources.nodes;
  await feed('two');
  const { errors } = await catalog.graphql(
    `mutation { updateResource(id: "${id}", input: { pii: true }, expectedVersion: ${version}) { id } }`,
  );
  expect(errors?.[0]?.extensions).toMatchObject({
    code: 'CONFLICT',
    currentVersion: version + 1,
    changedBy: null,
    changedFields: null,
    changedAt: expect.any(String),
  });
});

test('a version that was made by something else is not said to be made by who came before', async () => {
  await using catalog = await openCatalog();
  const { id: integrationId } = await catalog.integration();
  const [tag, group, team] = [
    await catalog.tag(),
    await catalog.group(),
    await catalog.team({ type: 'CLOSED' }),
  ];
  const place = await catalog.resource({ kind: 'schema' });
  const named = { tagIds: [tag.id], ownerGroupIds: [group.id], teamIds: [team.id] };
  const { id } = await catalog.resource({ ...named, integrationId, parentId: place.id });
  const mutate = async (mutation: string) => {
    const { errors } = await catalog.graphql(`mutation { ${mutation} }`);
    return errors?.[0]?.extensions;
  };
  const edit = (of: string, input: string, expected: number) =>
    mutate(`updateResource(id: "${of}", input: ${input}, expectedVersion: ${expected}) { id }`);
  const elsewhere = [
    `deleteTag(id: "${tag.id}") { id }`,
    `deleteGroup(id: "${group.id}") { id }`,
    `archiveTeam(id: "${team.id}") { id }`,
    `updateResource(id: "${place.id}", input: { title: "renamed" }) { id }`,
  ];
  for (const [n, deed] of elsewhere.entries()) {
    const { version } = await getResource(catalog.admin, id);
    catalog.setTime(new Date(`2030-01-0${n + 1}T10:00:00Z`));
    expect(await edit(id, `{ description: "${n}" }`, version)).toBeUndefined();
    catalog.setTime(new Date(`2030-01-0${n + 1}T11:00:00Z`));
    expect(await mutate(deed)).toBeUndefined();
    const changed = { changedBy: null, changedAt: `2030-01-0${n + 1}T11:00:00.000Z` };
    for (const expected of [version, version + 1]) {
      expect([deed, await edit(id, '{ pii: true }', expected)]).toEqual([
        deed,
        { code: 'CONFLICT', currentVersion: version + 2, changedFields: null, ...changed },
      ]);
    }
  }
  // Who saves after that is named, and that not all is known that was changed.
  const { version } = await getResource(catalog.admin, id);
  await mutate(`updateResource(id: "${id}", input: { description: "last" }) { id }`);
  const since = await edit(id, '{ pii: true }', version - 1);
  expect(since).toMatchObject({ changedFields: null, changedBy: { id: catalog.idOf('admin') } });
  const whole = await edit(id, '{ pii: true }', version);
  expect(whole).toMatchObject({ changedFields: ['description'] });
});

test('accepting a reply is an entry of all whose version it makes', async () => {
  await using catalog = await openCatalog();
  const { id: parentId } = await createQuestion(catalog.admin, { title: 'Which currency?' });
  const one = await createReply(catalog.admin, { parentId, acceptedAnswer: true });
  const two = await createReply(catalog.admin, { parentId, definition: 'USD' });
  await updateReply(catalog.as('editor'), two.id, { acceptedAnswer: true });
  for (const { id, version } of [one, two]) {
    const saving = updateReply(catalog.admin, id, { definition: 'Late' }, version);
    await expect(saving).rejects.toMatchObject({
      since: { changedFields: ['acceptedAnswer'], changedBy: { id: catalog.idOf('editor') } },
    });
  }
});

test('of ten who save what they read, one succeeds and nine are refused', async () => {
  await using catalog = await openCatalog();
  const { id, version } = await catalog.resource();
  const saves = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      catalog.graphql(
        `mutation { updateResource(id: "${id}", input: { description: "${n}" }, expectedVersion: ${version}) { id } }`,
      ),
    ),
  );
  const codes = saves.map(({ errors }) => errors?.[0]?.extensions.code ?? 'OK');
  expect(codes.toSorted()).toEqual([...Array(9).fill('CONFLICT'), 'OK']);
});
