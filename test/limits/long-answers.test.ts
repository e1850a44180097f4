// How long an answer may be: its characters count wherever they come from, however little was read for it.

import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { execute } from '../../src/database/rows.ts';
import { written } from '../../src/graphql/written-answer.ts';
import { CooperativeScheduler } from '../../src/limits/cooperative-scheduler.ts';
import { createFairQueue } from '../../src/limits/fair-queue.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { clientsOf } from './client.ts';

/** A table with a long description, and so many columns, each of which has it for its parent. */
async function tableOf(catalog: Catalog, columns: number) {
  const table = await catalog.resource({ kind: 'table', description: 'é'.repeat(100_000) });
  await execute(
    catalog.admin,
    `insert into resource (workspace_id, kind, title, title_full, parent_id)
      select $1::uuid, 'column', 'c' || n, '', $2::uuid from generate_series(1, $3::int) n`,
    [catalog.workspaceId, table.id, columns],
  );
  return table;
}

const aliases = (times: number) =>
  Array.from({ length: times }, (_, n) => `a${n}: description`).join(' ');

test('an answer that says one long text too often is refused, however little was read', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin } = await clientsOf(catalog, {});
  const { id } = await tableOf(catalog, 100);
  const ask = (rows: number, times: number) =>
    admin.graphql(
      `query ($id: ID!) { resource(id: $id) { children(first: ${rows}) {
        nodes { parent { ${aliases(times)} } } } } }`,
      { id },
    );
  for (const reply of [await ask(100, 98), await ask(10, 98)]) {
    expect([reply.code, reply.body.data ?? null]).toEqual(['BAD_REQUEST', null]);
    expect(reply.body.errors[0].message).toMatch(/over 64,000,000 characters.*fewer rows/);
  }
  const { body } = await ask(10, 20);
  expect(body.errors).toBeUndefined();
  const parents = body.data.resource.children.nodes.map((one: { parent: object }) => one.parent);
  const texts: string[] = parents.flatMap((parent: object) => Object.values(parent));
  expect([texts.length, new Set(texts)]).toEqual([200, new Set(['é'.repeat(100_000)])]);
  expect(catalog.unexpected).toEqual([]);
});

test('the names of fields count, and what is said of a change does', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin } = await clientsOf(catalog, {});
  const { id } = await tableOf(catalog, 800);
  const long = 'a'.repeat(90_000);
  const names = await admin.graphql(
    `query ($id: ID!) { resource(id: $id) { children(first: 800) { nodes { ${long}: id } } } }`,
    { id },
  );
  expect([names.code, names.body.data ?? null]).toEqual(['BAD_REQUEST', null]);
  const change = await admin.graphql(
    `mutation ($id: ID!) { updateResource(id: $id, input: { title: "new" }) {
      children(first: 100) { nodes { parent { ${aliases(98)} } } } } }`,
    { id },
  );
  expect(change.body.errors[0].message).toMatch(/over 64,000,000 characters/);
  // It is made all the same.
  const asked = await admin.graphql('query ($id: ID!) { resource(id: $id) { title } }', { id });
  expect(asked.body.data.resource.title).toBe('new');
});

test('characters count as JSON writes them, over REST as well', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin, viewer } = await clientsOf(catalog, {});
  // Of each JSON makes six.
  await execute(
    catalog.admin,
    `insert into resource (workspace_id, kind, title, title_full, definition, published)
      select $1::uuid, 'document', 'd' || n, '', repeat(chr(1), 1000000), true
      from generate_series(1, 12) n`,
    [catalog.workspaceId],
  );
  const rest = await admin.rest('GET', '/document/documents?page_size=12');
  const graphql = await viewer.graphql('{ resources(first: 12) { nodes { definition } } }');
  for (const { code, body } of [rest, graphql]) {
    expect(code).toBe('BAD_REQUEST');
    expect(JSON.stringify(body)).toContain('over 64,000,000 characters');
  }
  expect((await admin.rest('GET', '/document/documents?page_size=2')).status).toBe(200);
});

test('what may take as long as it needs has no longer an answer for it', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin } = await clientsOf(catalog, {});
  const { id } = await catalog.integration();
  const resources = Array.from({ length: 90 }, (_, n) =>
    JSON.stringify({ entity_type: 'table', databuilder_id: `t${n}` }),
  ).join('\n');
  const ask = (field: string) =>
    admin.graphql(
      `mutation ($id: ID!, $resources: String!) { importJsonl(
        integrationId: $id, resources: $resources, dryRun: true) { changes { ${field} } } }`,
      { id, resources },
    );
  const { body } = await ask('title');
  expect(body.data.importJsonl.changes).toHaveLength(90);
  const refused = await ask(`${'a'.repeat(800_000)}: title`);
  expect(refused.body.errors[0].message).toMatch(/over 64,000,000 characters/);
});

test('an answer that is written in turns says what went wrong as well', async () => {
  const scheduler = new CooperativeScheduler(createFairQueue(), 'a', new AbortController().signal);
  const data = { rows: Array.from({ length: 3_000 }, (_, n) => ({ n })), gone: null };
  const whole = await written({ data, extensions: { eventId: 'e' } }, scheduler);
  expect(textOf(whole)).toEqual({ data, extensions: { eventId: 'e' } });
  const failed = await written({ errors: [new GraphQLError('It is gone.')], data }, scheduler);
  expect(textOf(failed)).toEqual({ errors: [{ message: 'It is gone.' }], data });
  // Of what became of it later nothing is hidden.
  expect(textOf({ ...failed, data: null })).toEqual({
    errors: [{ message: 'It is gone.' }],
    data: null,
  });
});

/** What the server makes of an answer that says how it is written. */
function textOf(answer: object): unknown {
  const { stringify = JSON.stringify }: { stringify?: (answer: object) => string } = answer;
  return JSON.parse(stringify(answer));
}
