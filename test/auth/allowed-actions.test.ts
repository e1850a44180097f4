// What a client is told that its viewer may do.

import { expect, test } from 'vitest';
import { roles } from '../../src/auth/viewer.ts';
import { openCatalog } from '../catalog.ts';

test('a client is told what its viewer may do, and nothing that would be refused', async () => {
  await using catalog = await openCatalog();
  const told: Record<string, string[]> = {};
  for (const role of roles) {
    const { data } = await catalog.graphql('{ viewer { allowedActions } }', {}, { as: role });
    told[role] = data.viewer.allowedActions;
  }
  expect(told.guest).toEqual(['take_part', 'make_own_api_keys']);
  expect(told.viewer).toEqual([
    'ask_questions',
    'comment_on_resources',
    'take_part',
    'read_people',
    'make_own_api_keys',
  ]);
  expect(told.editor).toContain('edit_monitors');
  expect(told.editor).not.toContain('read_the_audit_log');
  expect(told.admin).toEqual(expect.arrayContaining([...(told.editor ?? []), 'manage_api_keys']));
});
