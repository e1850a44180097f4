// Inputs: what making something needs is said by the type, and changing it needs nothing.

import { isInputObjectType, isRequiredInputField, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { restSchema } from '../../src/graphql/views/rest-schema.ts';
import { openCatalog } from '../catalog.ts';

const needed: Record<string, readonly string[]> = {
  CreateAnnouncementInput: ['text'],
  CreateApiKeyInput: ['name'],
  CreateCommentInput: ['resourceId', 'text'],
  CreateCustomPropertyInput: ['name'],
  CreateGroupInput: ['name'],
  CreateIntegrationInput: ['name'],
  CreateMaintenanceWindowInput: ['name'],
  CreateMonitorInput: ['metricType', 'targetId'],
  CreateNotificationRuleInput: ['name'],
  CreateQuestionInput: ['title'],
  CreateReplyInput: ['parentId'],
  CreateResourceInput: ['title'],
  CreateServiceAccountInput: ['name'],
  CreateTagInput: ['name'],
  CreateTeamInput: ['name'],
  CreateUserInput: ['email'],
  CreateWebhookInput: ['name', 'url'],
};

const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);

test('inputs to make something say what they need, those to change it need nothing', () => {
  const made = inputs.filter(({ name }) => name.startsWith('Create'));
  const required = made.map((type) => [
    type.name,
    Object.values(type.getFields())
      .filter(isRequiredInputField)
      .map(({ name }) => name)
      .sort(),
  ]);
  expect(Object.fromEntries(required)).toEqual(needed);
  const changed = inputs.filter(({ name }) => name.startsWith('Update'));
  expect(changed.length).toBeGreaterThan(10);
  const demanding = changed.filter((type) =>
    Object.values(type.getFields()).some(isRequiredInputField),
  );
  expect(demanding.map(({ name }) => name)).toEqual([]);
});

test('what is missing is found before anything is asked', () => {
  const wrong = (text: string) => validate(schema, parse(text)).length > 0;
  expect(wrong('mutation { createMonitor(input: {}) { id } }')).toBe(true);
  expect(wrong('mutation { updateMonitor(id: "1", input: {}) { id } }')).toBe(false);
});

test('REST takes a body without them, and says itself what is missing', async () => {
  await using catalog = await openCatalog();
  const monitor = await catalog.rest('POST', '/monitor/monitors', { body: {} });
  expect(monitor.body.errors).toEqual([
    { field: 'target', message: 'Use the id of a table or column.' },
  ]);
  const user = await catalog.rest('POST', '/user', { body: {} });
  expect(user.body.errors).toEqual([{ field: 'email', message: 'A user needs an email address.' }]);
  const tag = await catalog.rest('POST', '/tag', { body: {} });
  expect(tag.body).toMatchObject({ name: 'Untitled tag' });
});

test('settings of a metric are an object in GraphQL and text over REST', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource();
  const { data, errors } = await catalog.graphql(
    `mutation ($id: ID!) {
      createMonitor(input: {
        targetId: $id, metricType: custom_sql, metricConfig: { querySelect: "select 1", where: null }
      }) { id metricConfig { querySelect where timestampColumn } }
    }`,
    { id },
  );
  expect(errors).toBeUndefined();
  const { metricConfig, ...monitor } = data.createMonitor;
  expect(metricConfig).toEqual({ querySelect: 'select 1', where: null, timestampColumn: null });
  const read = await catalog.rest('GET', `/monitor/monitors/${monitor.id}`);
  expect(read.body.metric_config).toBe('{"query_select":"select 1"}');
  const narrowed = await catalog.graphql(
    `mutation ($id: ID!) {
      updateMonitor(id: $id, input: { metricType: row_count, metricConfig: { where: "true" } }) {
        metricConfig { querySelect where }
      }
    }`,
    monitor,
  );
  expect(narrowed.data.updateMonitor.metricConfig).toEqual({ querySelect: null, where: 'true' });
  const kept = await catalog.graphql(
    'mutation ($id: ID!) { updateMonitor(id: $id, input: { name: "Rows" }) { metricConfig { where } } }',
    monitor,
  );
  expect(kept.data.updateMonitor.metricConfig).toEqual({ where: 'true' });
});

test('numbers of pages are for REST alone', () => {
  const named = /\bpage(Size)?:|totalPages|nextPage|previousPage/;
  const args = (one: typeof schema) =>
    Object.values(one.getQueryType()?.getFields() ?? {}).flatMap((field) =>
      field.args.map(({ name }) => `${field.name} ${name}:`),
    );
  expect(args(schema).filter((arg) => named.test(arg))).toEqual([]);
  expect(args(restSchema).filter((arg) => named.test(arg)).length).toBeGreaterThan(20);
  const connection = (one: typeof schema) => {
    const type = one.getType('TagConnection');
    return type && 'getFields' in type ? Object.keys(type.getFields()).sort() : [];
  };
  expect(connection(schema)).toEqual(['edges', 'nodes', 'pageInfo', 'totalCount']);
  expect(connection(restSchema)).toContain('totalPages');
});
