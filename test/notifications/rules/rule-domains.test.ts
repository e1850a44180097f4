// The domains that addresses of notification rules may be of.

import { expect, test } from 'vitest';
import { openCatalog } from '../../catalog.ts';

const made = `mutation ($emails: [String!]) {
  createNotificationRule(input: { name: "Mail", emails: $emails }) { id }
}`;
const changed = `mutation ($id: ID!, $emails: [String!]) {
  updateNotificationRule(id: $id, input: { emails: $emails }) { emails }
}`;

test('an address of a rule is in a domain that the operator allows, where any is set', async () => {
  await using catalog = await openCatalog({ alone: true });
  const create = (emails: string[]) => catalog.graphql(made, { emails }, { as: 'editor' });
  const { data } = await create(['me@elsewhere.example']);
  const { id } = data.createNotificationRule;
  const { mail } = catalog.surroundings;
  catalog.surroundings.mail = { ...mail, ruleDomains: ['example.com', 'Example.org'] };
  expect((await create(['me@example.com', 'me@EXAMPLE.ORG'])).errors).toBeUndefined();
  for (const other of ['me@elsewhere.example', 'me@sub.example.com', 'me@notexample.com']) {
    const refused = await create(['me@example.com', other]);
    expect(refused.errors?.[0]?.extensions).toMatchObject({
      ...{ code: 'BAD_REQUEST', fields: [{ field: 'emails' }] },
    });
    expect(refused.errors?.[0]?.message).toContain(`${other} is not in example.com, Example.org`);
  }
  const emails = ['me@elsewhere.example'];
  const refused = await catalog.graphql(changed, { id, emails });
  expect(refused.errors?.[0]?.extensions.code).toBe('BAD_REQUEST');
  expect(
    (await catalog.graphql(changed, { id, emails: ['me@example.com'] })).errors,
  ).toBeUndefined();
});
