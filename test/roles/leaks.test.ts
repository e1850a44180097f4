// What one may not see shows nowhere else either: not in counts, ids, facets, messages or titles.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setValue } from '../../src/properties/assign.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { createQuestion, createReply } from '../../src/resources/questions/question.ts';
import { addTeamMembers } from '../../src/teams/member.ts';
import { type Caller, type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

const canary = 'zzcanary';
const viewer: Caller = { as: 'viewer' };
const editor: Caller = { as: 'editor' };
const guest: Caller = { as: 'guest' };

test('facets name no closed team and no integration to those who may not know of them', async () => {
  const closed = await catalog.team({ name: `${canary} closed`, type: 'CLOSED' });
  const open = await catalog.team({ name: 'facet open' });
  const integration = await catalog.integration({ name: `${canary} source` });
  await catalog.resource({
    title: 'faceted',
    teamIds: [closed.id, open.id],
    integrationId: integration.id,
  });
  const query = `{ search(query: "faceted") {
    totalCount facets { team { value label count } integration { value label } kind { count } } } }`;
  const { data } = await catalog.graphql(query, {}, viewer);
  expect(data.search).toEqual({
    totalCount: 1,
    facets: {
      team: [{ value: open.id, label: 'facet open', count: 1 }],
      integration: [],
      kind: [{ count: 1 }],
    },
  });
  const seen = JSON.stringify(await catalog.graphql(query, {}, editor));
  expect(seen).toContain(`${canary} closed`);
  expect(seen).toContain(`${canary} source`);
  // Members know their team.
  await addTeamMembers(catalog.admin, closed.id, [catalog.idOf('viewer')]);
  const own = JSON.stringify(await catalog.graphql(query, {}, viewer));
  expect(own).toContain(`${canary} closed`);
});

test('children are counted as far as they are seen, in lists, records and REST', async () => {
  const team = await catalog.team();
  await addTeamMembers(catalog.admin, team.id, [catalog.idOf('guest')]);
  const { id } = await catalog.resource({ title: 'parent', teamIds: [team.id] });
  const under = { kind: 'column', parentId: id, teamIds: [] } as const;
  await catalog.resource({ ...under, title: 'both', teamIds: [team.id] });
  await catalog.resource({ ...under, title: 'published' });
  await catalog.resource({ ...under, title: canary, published: false });
  const counted = async (caller: Caller) => {
    const query = `query ($id: ID!, $value: JSON!) {
      resource(id: $id) { childrenCount children { totalCount } }
      resources(filter: {operator: exact, field: "id", value: $value}) { nodes { childrenCount } }
      nested: resources(parentId: $id) { nodes { parent { childrenCount } } } }`;
    const { data, errors } = await catalog.graphql(query, { id, value: id }, caller);
    expect(errors).toBeUndefined();
    const { body } = await catalog.rest('GET', `/table/tables/${id}`, { caller });
    return [
      data.resource.childrenCount,
      data.resource.children.totalCount,
      data.resources.nodes[0].childrenCount,
      data.nested.nodes[0].parent.childrenCount,
      body.children_count,
    ];
  };
  expect(await counted(editor)).toEqual([3, 3, 3, 3, 3]);
  expect(await counted(viewer)).toEqual([2, 2, 2, 2, 2]);
  expect(await counted(guest)).toEqual([1, 1, 1, 1, 1]);
});

test('lists of ids hold what one may know of, over both APIs', async () => {
  const own = await catalog.team({ name: 'guests' });
  await addTeamMembers(catalog.admin, own.id, [catalog.idOf('guest')]);
  const closed = await catalog.team({ type: 'CLOSED' });
  const secret = await catalog.resource({ kind: 'collection', published: false });
  const shown = await catalog.resource({ kind: 'collection', teamIds: [own.id] });
  const schema = await catalog.resource({ kind: 'schema', published: false });
  const [group, person] = [await catalog.group(), await catalog.user()];
  const [named, about] = [
    await catalog.property({ valueType: 'resource' }),
    await catalog.property({ valueType: 'user' }),
  ];
  const { id } = await catalog.resource({
    parentId: schema.id,
    collectionIds: [secret.id, shown.id],
    teamIds: [closed.id, own.id],
    ownerIds: [person.id],
    ownerGroupIds: [group.id],
    subscriberIds: [person.id],
  });
  await setValue(catalog.admin, named.id, id, secret.id);
  await setValue(catalog.admin, about.id, id, person.id);
  await catalog.graphql('mutation ($id: ID!) { bookmarkResource(id: $id) { id } }', { id }, guest);
  const query = `query ($id: ID!) { resource(id: $id) {
    teamIds parentId createdBy { id } lastModifiedBy { id } customProperties { value } teams { id }
    collections { id } owners { id } ownerGroups { id } subscribers { id } } }`;
  const of = async (caller: Caller) => {
    const { data } = await catalog.graphql(query, { id }, caller);
    const { body } = await catalog.rest('GET', `/table/tables/${id}`, { caller });
    const { collections, teams, owners, owners_groups, subscribers, parent } = body;
    const found = data.resource;
    const ids = (things: { id: string }[]) => things.map((thing) => thing.id);
    // Both APIs say the same.
    expect([collections, teams, owners, owners_groups, subscribers, parent]).toEqual([
      ...[ids(found.collections), found.teamIds, ids(found.owners), ids(found.ownerGroups)],
      ...[ids(found.subscribers), found.parentId],
    ]);
    const { multiplayers, bookmarked_by: bookmarkedBy } = body;
    return { ...found, multiplayers, bookmarkedBy, text: JSON.stringify([data, body]) };
  };
  const byEditor = await of(editor);
  const all = [secret, closed, schema, group, person].map((one) => one.id);
  for (const one of all) expect(byEditor.text).toContain(one);
  expect(byEditor.customProperties).toHaveLength(2);

  const byViewer = await of(viewer);
  expect(byViewer).toMatchObject({
    ...{ collections: [{ id: shown.id }], teamIds: [own.id], owners: [{ id: person.id }] },
    ...{
      parentId: null,
      ownerGroups: [{ id: group.id }],
      customProperties: [{ value: person.id }],
    },
  });
  for (const one of [secret, closed, schema]) expect(byViewer.text).not.toContain(one.id);

  const byGuest = await of(guest);
  expect(byGuest).toMatchObject({
    ...{ collections: [{ id: shown.id }], teamIds: [own.id], owners: [], ownerGroups: [] },
    ...{ subscribers: [], bookmarkedBy: [catalog.idOf('guest')], multiplayers: [] },
    ...{ parentId: null, createdBy: null, customProperties: [] },
    teams: [{ id: own.id }],
  });
  for (const one of all) expect(byGuest.text).not.toContain(one);
  expect(byGuest.text).not.toContain(catalog.idOf('admin'));
});

test('a filter finds nothing by what one may not know of, and says the same of it as of nothing', async () => {
  const own = await catalog.team({ name: 'filtering' });
  await addTeamMembers(catalog.admin, own.id, [catalog.idOf('guest')]);
  const closed = await catalog.team({ type: 'CLOSED' });
  const secret = await catalog.resource({ kind: 'collection', published: false });
  const schema = await catalog.resource({ kind: 'schema', published: false });
  const { id } = await catalog.resource({
    ...{ title: 'filtered', parentId: schema.id, collectionIds: [secret.id] },
    ...{ teamIds: [own.id, closed.id], ownerIds: [catalog.idOf('editor')] },
  });
  const found = async (caller: Caller, term: object) => {
    const filter = {
      operator: 'and',
      operands: [{ operator: 'exact', field: 'title', value: 'filtered' }, term],
    };
    const query = `query ($filter: ResourceFilter) {
      resources(filter: $filter) { totalCount nodes { id } } }`;
    const { data, errors } = await catalog.graphql(query, { filter }, caller);
    expect(errors).toBeUndefined();
    const path = `/resource/catalog?filter=${encodeURIComponent(JSON.stringify(filter))}`;
    const { body } = await catalog.rest('GET', path, { caller });
    expect(body.count).toBe(data.resources.totalCount);
    return data.resources.totalCount;
  };
  const terms: [object, number[]][] = [
    [{ operator: 'in', field: 'teams', value: [closed.id] }, [1, 0, 0]],
    [{ operator: 'in', field: 'teams', value: [closed.id, own.id] }, [1, 1, 1]],
    [{ operator: 'contains', field: 'collections', value: secret.id }, [1, 0, 0]],
    [{ operator: 'is_set', field: 'collections' }, [1, 0, 0]],
    [{ operator: 'is_set', field: 'teams' }, [1, 1, 1]],
    [{ operator: 'exact', field: 'parent_id', value: schema.id }, [1, 0, 0]],
    [{ operator: 'is_set', field: 'parent' }, [1, 0, 0]],
    [{ operator: 'exact', field: 'owners', value: catalog.idOf('editor') }, [1, 1, 0]],
    [{ operator: 'is_set', field: 'owners' }, [1, 1, 0]],
  ];
  for (const [term, counts] of terms) {
    const all = [await found(editor, term), await found(viewer, term), await found(guest, term)];
    expect(all, JSON.stringify(term)).toEqual(counts);
  }
  expect(await found(viewer, { operator: 'exact', field: 'id', value: id })).toBe(1);
});

test('a reply moves to no question that is unseen, and learns nothing of it', async () => {
  const hidden = await createQuestion(catalog.admin, { title: `${canary} question` });
  await updateResource(catalog.admin, hidden.id, { published: false });
  const table = await catalog.resource({ title: `${canary} table`, published: false });
  const question = await createQuestion(catalog.admin, { title: 'seen' });
  const reply = await createReply(catalog.as('viewer'), { parentId: question.id });
  const unknown = randomUUID();
  const said = async (parent: string) => {
    const moving = `mutation ($id: ID!, $input: UpdateReplyInput!) {
      updateReply(id: $id, input: $input) { id titleFull } }`;
    const replying = 'mutation ($input: CreateReplyInput!) { createReply(input: $input) { id } }';
    const input = { parentId: parent, definition: 'hm' };
    const answers = [
      await catalog.graphql(moving, { id: reply.id, input: { parentId: parent } }, viewer),
      await catalog.graphql(
        moving,
        { id: reply.id, input: { parentId: parent, title: 'x' } },
        viewer,
      ),
      await catalog.graphql(replying, { input }, viewer),
      await catalog.graphql(replying, { input: { ...input, acceptedAnswer: true } }, viewer),
      (await catalog.rest('POST', '/question/replies', { body: { parent }, caller: viewer })).body,
    ];
    const text = JSON.stringify(answers.map(({ request_id, ...answer }) => answer));
    return text.replaceAll(parent, 'ID');
  };
  const expected = await said(unknown);
  expect(expected).toContain('No resource of this workspace has the id ID.');
  expect(expected).toContain('Question not found.');
  for (const { id } of [hidden, table]) expect(await said(id)).toBe(expected);
  const { database, workspaceId } = catalog;
  const after = await database.prisma.resource.findUniqueOrThrow({
    where: { workspaceId_id: { workspaceId, id: reply.id } },
  });
  expect([after.parentId, after.titleFull]).toEqual([question.id, 'seen.Re: seen']);
});

test('a viewer learns the same of a team or collection that is unseen and one that is not', async () => {
  const closed = await catalog.team({ type: 'CLOSED' });
  const secret = await catalog.resource({ kind: 'collection', published: false });
  const { id: source } = await catalog.integration();
  const create = 'mutation ($input: CreateQuestionInput!) { createQuestion(input: $input) { id } }';
  for (const [field, id] of [
    ['teamIds', closed.id],
    ['collectionIds', secret.id],
    ['integrationId', source],
  ] as const) {
    const ask = async (one: string) => {
      const input = { title: 'x', [field]: field === 'integrationId' ? one : [one] };
      return JSON.stringify(await catalog.graphql(create, { input }, viewer));
    };
    expect(await ask(id)).toBe(await ask(randomUUID()));
  }
});

test('a guest who changes a question learns of no user by its refusal', async () => {
  const { id } = await createQuestion(catalog.admin, { title: 'guests' });
  const user = await catalog.user();
  const query = `mutation ($id: ID!, $input: UpdateQuestionInput!) {
    updateQuestion(id: $id, input: $input) { id } }`;
  const ask = async (assignedToId: string) => {
    const { errors } = await catalog.graphql(query, { id, input: { assignedToId } }, guest);
    return [errors?.[0]?.extensions.code, errors?.[0]?.message];
  };
  const refusal = ['FORBIDDEN', expect.stringContaining("The role guest can't ask questions")];
  expect(await ask(user.id)).toEqual(refusal);
  expect(await ask(randomUUID())).toEqual(refusal);
});

test('lineage read from SQL names no integration to a viewer', async () => {
  const integration = await catalog.integration({ name: `${canary} warehouse` });
  const own = { databaseName: 'shop', schemaName: 'sales', integrationId: integration.id };
  const { id } = await catalog.resource({ title: 'linked', ...own });
  await catalog.resource({ kind: 'column', title: 'amount', parentId: id });
  const sql = 'select amount from shop.sales.linked';
  const query = `query ($sql: String!) { lineageFromQuery(sql: $sql, dialect: "postgres") {
    sourceTables { id integrationTitle integrationType }
    columnLineages { fromColumn { integrationTitle } } } }`;
  const asked = new URLSearchParams({ sql, dialect: 'postgres' });
  const both = async (caller: Caller) =>
    JSON.stringify([
      await catalog.graphql(query, { sql }, caller),
      (await catalog.rest('GET', `/lineage/lineage_from_query?${asked}`, { caller })).body,
    ]);
  const seen = await both(viewer);
  expect(seen).toContain(id);
  expect(seen).not.toContain(canary);
  expect((await both(editor)).split(`${canary} warehouse`)).toHaveLength(5);
});

const unsafe = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'https://example.com/\njavascript:alert(1)',
  'https://exa\tmple.com/',
  'https://example.com\\@evil.example/',
  'https://good.example@evil.example/',
  'https://user:hunter2@example.com/',
  'data:text/html,<script>1</script>',
  'vbscript:x',
  'file:///etc/passwd',
  '//evil.example/x',
  'https:evil.example',
  'https://',
];

test('an unsafe address is refused in every field of addresses', async () => {
  const table = await catalog.resource();
  const user = await catalog.user();
  const link = await catalog.property({ valueType: 'url' });
  const integration = await catalog.integration();
  for (const url of unsafe) {
    const refusals = [
      await catalog.graphql(
        `mutation ($id: ID!, $url: String!) { updateResource(id: $id, input: {title: "x", url: $url}) { url } }`,
        { id: table.id, url },
      ),
      await catalog.graphql(
        'mutation ($url: String!) { createResource(kind: chart, input: {title: "x", url: $url}) { url } }',
        { url },
      ),
      await catalog.graphql(
        `mutation ($id: ID!, $url: String!) { updateUser(id: $id, input: {avatarUrl: $url}) { id } }`,
        { id: user.id, url },
      ),
      await catalog.graphql(
        `mutation ($id: ID!, $on: ID!, $url: String!) {
          setCustomProperty(id: $id, resourceId: $on, value: $url) { id } }`,
        { id: link.id, on: table.id, url },
      ),
      await catalog.graphql(
        `mutation ($id: ID!, $line: String!) {
          importJsonl(integrationId: $id, resources: $line) { created } }`,
        {
          id: integration.id,
          line: JSON.stringify({ entity_type: 'chart', databuilder_id: 'c', title: 'c', url }),
        },
      ),
    ];
    for (const { data, errors } of refusals) {
      expect([Object.values(data), errors?.[0]?.extensions.code], url).toEqual([
        [null],
        'BAD_REQUEST',
      ]);
      expect(JSON.stringify(errors)).not.toContain('hunter2');
    }
    const chart = await catalog.rest('POST', '/dashboard/charts', { body: { title: 'x', url } });
    expect([chart.status, chart.body.errors?.[0].field], url).toEqual([400, 'url']);
  }
  const kept = await catalog.database.prisma.resource.count({
    where: { workspaceId: catalog.workspaceId, url: { not: null } },
  });
  expect(kept).toBe(0);
  await updateResource(catalog.admin, table.id, { url: 'https://example.com/a?b=c@d#e' });
});

test('a secret in a field of ids is not said back', async () => {
  const secret = `sk-${canary}-4242`;
  const { id } = await catalog.resource();
  const question = await createQuestion(catalog.admin, { title: 'q' });
  const property = await catalog.property({ valueType: 'user' });
  const answers: unknown[] = [];
  const graphql = async (query: string, variables: object = {}) => {
    answers.push(await catalog.graphql(query, { secret, ids: [secret], id, ...variables }));
  };
  const rest = async (method: string, path: string, body?: object) => {
    const { status, text } = await catalog.rest(method, path, body ? { body } : {});
    answers.push({ errors: [{ message: text }], status });
  };
  for (const field of ['teamIds', 'ownerIds', 'ownerGroupIds', 'collectionIds', 'tagIds']) {
    await graphql(
      `mutation ($id: ID!, $ids: [ID!]) { updateResource(id: $id, input: {${field}: $ids}) { id } }`,
    );
  }
  for (const field of ['parentId', 'integrationId']) {
    await graphql(
      `mutation ($secret: ID) { createResource(kind: table, input: {title: "x", ${field}: $secret}) { id } }`,
    );
  }
  await graphql(
    `mutation ($id: ID!, $secret: ID) { updateQuestion(id: $id, input: {assignedToId: $secret}) { id } }`,
    { id: question.id },
  );
  await graphql(
    'mutation ($ids: [ID!]) { createGroup(input: {name: "x", memberIds: $ids}) { id } }',
  );
  await graphql(
    'mutation ($ids: [ID!]) { createTeam(input: {name: "x", addMemberIds: $ids}) { id } }',
  );
  await graphql(
    'mutation ($secret: ID) { createApiKey(input: { name: "x", userId: $secret }) { key } }',
  );
  await graphql('mutation ($ids: [ID!]) { runMonitors(ids: $ids) { id } }');
  await graphql(
    'mutation ($secret: ID!) { createMonitor(input: {metricType: row_count, targetId: $secret}) { id } }',
  );
  for (const field of [
    'webhookIds',
    'groupIds',
    'userIds',
    'resourceIds',
    'tagIds',
    'teamIds',
    'monitorIds',
  ]) {
    await graphql(
      `mutation ($ids: [ID!]) { createNotificationRule(input: {name: "x", emails: ["a@example.com"], ${field}: $ids}) { id } }`,
    );
  }
  await graphql(
    'mutation ($p: ID!, $id: ID!, $secret: String!) { setCustomProperty(id: $p, resourceId: $id, value: $secret) { id } }',
    { p: property.id },
  );
  await graphql(
    'mutation ($ids: [ID!]!, $p: JSON!) { setCustomProperties(resourceIds: $ids, properties: $p) { id } }',
    { p: { [property.id]: '' } },
  );
  await graphql(
    'mutation ($on: [ID!]!, $p: JSON!) { setCustomProperties(resourceIds: $on, properties: $p) { id } }',
    { on: [id], p: { [secret]: 'x' } },
  );
  await graphql(
    'mutation ($on: [ID!]!, $p: JSON!) { setCustomProperties(resourceIds: $on, properties: $p) { id } }',
    { on: [id], p: { [secret]: 1 } },
  );
  await graphql('query ($secret: ID) { monitors(targetId: $secret) { totalCount } }');
  await graphql('query ($secret: ID) { incidents(monitorId: $secret) { totalCount } }');
  await graphql('query ($secret: ID) { resources(parentId: $secret) { totalCount } }');
  await graphql('query ($secret: ID!) { monitor(id: $secret) { id } }');
  await graphql('query ($ids: [ID!]!) { lineage(from: $ids) { nodes { id } } }');
  await rest('GET', `/table/tables?parent_id=${secret}`);
  await rest('GET', `/table/tables/${secret}`);
  await rest('PATCH', `/table/tables/${id}`, { teams: [secret], owners: [secret] });
  await rest('POST', '/lineage/manual', {
    ...{ from_entity: secret, to_entity: id, direction: 'DOWNSTREAM' },
  });
  await rest('POST', '/monitor/monitors/run', { monitors: [secret] });
  for (const answer of answers) {
    expect(answer).toHaveProperty('errors');
    expect(JSON.stringify(answer)).not.toContain(canary);
  }
  expect(answers.length).toBeGreaterThan(30);
});
