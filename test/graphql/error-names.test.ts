// Errors name what is wrong as the client of each API wrote it.

import { expect, test } from 'vitest';
import { type Answer, type Catalog, openCatalog } from '../catalog.ts';

const createMonitor = `mutation ($input: CreateMonitorInput!) { createMonitor(input: $input) { id } }`;

const fieldsOf = ({ errors = [] }: Answer) =>
  errors.flatMap(({ extensions }) => extensions.fields?.map(({ field }) => field) ?? []);

async function monitorError(catalog: Catalog, more: object) {
  const { id } = await catalog.resource();
  return catalog.graphql(createMonitor, {
    input: { targetId: id, metricType: 'row_count', ...more },
  });
}

test('a field of an input is named as the input has it', async () => {
  await using catalog = await openCatalog();
  const range = await monitorError(catalog, { conditionManualMin: 5, conditionManualMax: 1 });
  expect(fieldsOf(range)).toEqual(['conditionManualMin']);
  expect(range.errors?.[0]?.message).toBe(
    'conditionManualMin: This is above conditionManualMax: 5 > 1.',
  );
  expect(range.errors?.[0]?.extensions.fields?.[0]?.message).toContain('conditionManualMax');
  expect(range.errors?.[0]?.path).toEqual(['createMonitor']);

  const sql = await monitorError(catalog, { metricType: 'custom_sql' });
  expect(fieldsOf(sql)).toEqual(['metricConfig.querySelect']);
  // The name of a metric is a value, and no value is translated.
  expect(sql.errors?.[0]?.message).toBe(
    'metricConfig.querySelect: custom_sql needs the SQL to run.',
  );

  const wrong = await monitorError(catalog, { metricType: 'mean' });
  expect(fieldsOf(wrong)).toEqual(['metricType']);
});

test('what takes ids is named by its own name, whatever REST calls it', async () => {
  await using catalog = await openCatalog();
  const none = '00000000-0000-4000-8000-000000000000';
  const ask = (input: object) =>
    catalog.graphql(
      `mutation ($input: CreateResourceInput!) {
        createResource(kind: table, input: $input) { id }
      }`,
      { input: { title: 'orders', ...input } },
    );
  expect(fieldsOf(await ask({ ownerIds: [none] }))).toEqual(['ownerIds']);
  expect(fieldsOf(await ask({ ownerGroupIds: [none] }))).toEqual(['ownerGroupIds']);
  expect(fieldsOf(await ask({ parentId: none }))).toEqual(['parentId']);
  expect(fieldsOf(await ask({ integrationId: none }))).toEqual(['integrationId']);
  expect(fieldsOf(await ask({ databaseName: 'x'.repeat(2_000) }))).toEqual(['databaseName']);
  const target = await monitorError(catalog, { targetId: none });
  expect(fieldsOf(target)).toEqual(['targetId']);
  const job = await catalog.graphql('mutation { runMonitors(ids: []) { id } }');
  expect(fieldsOf(job)).toEqual(['ids']);
});

test('several fields of one input are named each', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.user();
  const answer = await catalog.graphql(
    `mutation ($id: ID!) {
      updateUser(id: $id, input: { firstName: "${'x'.repeat(2_000)}", avatarUrl: "no address" }) { id }
    }`,
    { id },
  );
  expect(fieldsOf(answer).sort()).toEqual(['avatarUrl', 'firstName']);
  expect(answer.errors?.[0]?.message).not.toMatch(/first_name|avatar_url/);
});

test('a filter takes a field in both spellings, and lists them in that of GraphQL', async () => {
  await using catalog = await openCatalog();
  const { titleFull } = await catalog.resource({ title: 'orders' });
  await catalog.resource({ title: 'customers' });
  const ask = (field: string, sort = field) =>
    catalog.graphql(
      `query ($value: JSON) {
        resources(
          filter: { operator: exact, field: "${field}", value: $value }
          sort: [{ field: "${sort}", tieBreaker: { field: "${sort}", order: desc } }]
        ) { nodes { titleFull } }
      }`,
      { value: titleFull },
    );
  for (const field of ['titleFull', 'title_full']) {
    expect((await ask(field)).data.resources.nodes).toEqual([{ titleFull }]);
  }
  const wrong = await ask('titleFul');
  expect(fieldsOf(wrong)).toEqual(['filter.field']);
  expect(wrong.errors?.[0]?.message).toMatch(
    /^filter\.field: "titleFul" is not a field; use one of id, type, entityType, /,
  );
  expect(wrong.errors?.[0]?.message).toContain('updatedAt');
  expect(wrong.errors?.[0]?.message).not.toContain('_');
  expect(fieldsOf(await ask('titleFull', 'title_fulll'))).toEqual(['sort.field']);
});

test('what a client wrote is said back as it was, and REST has its own names', async () => {
  await using catalog = await openCatalog();
  const refused = await catalog.graphql(
    '{ resources(filter: { operator: exact, field: "updated_at_all", value: 1 }) { totalCount } }',
  );
  expect(refused.errors?.[0]?.message).toContain('"updated_at_all" is not a field');

  const { id } = await catalog.resource();
  const answer = await catalog.rest('POST', '/monitor/monitors', {
    body: { target: id, metric_type: 'custom_sql' },
  });
  expect(answer.body.errors).toEqual([
    { field: 'metric_config.query_select', message: 'custom_sql needs the SQL to run.' },
  ]);
  const filter = encodeURIComponent('{"operator":"exact","field":"titel_full","value":"x"}');
  const listed = await catalog.rest('GET', `/resource/catalog?filter=${filter}`);
  expect(listed.body.detail).toContain(
    '"titel_full" is not a field; use one of id, type, entity_type,',
  );
});

test('a name that a client made up may hold any character', async () => {
  await using catalog = await openCatalog();
  for (const name of ['passwor(', 'passwor[', 'passwor\\', 'passwor$&', 'passwor*', '$passwor']) {
    const { errors } = await catalog.graphql(
      `mutation ($input: CreateIntegrationInput!) { createIntegration(type: "postgres", input: $input) { id } }`,
      { input: { name: 'Shop', credentials: { [name]: 'x' } } },
    );
    expect([errors?.[0]?.extensions.code, errors?.[0]?.extensions.fields]).toEqual([
      'BAD_REQUEST',
      [
        {
          field: `credentials.${name}`,
          message: 'There is no such field. Did you mean password?',
        },
      ],
    ]);
    expect(errors?.[0]?.message).toContain(`credentials.${name}: There is no such field.`);
  }
  expect(catalog.unexpected).toEqual([]);
});
