// What entries say was changed: values before and after, within bounds, and no secret ever.

import { expect, test } from 'vitest';
import { changeOf, maxItems, maxLength } from '../../src/audit/changes.ts';
import { updateIntegration } from '../../src/integrations/integration.ts';
import { updateUser } from '../../src/people/user.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

async function changesOfLast(catalog: Catalog, resourceId: string): Promise<unknown> {
  const { changes } = await catalog.database.prisma.auditLog.findFirstOrThrow({
    where: { workspaceId: catalog.workspaceId, resourceId },
    orderBy: { sequence: 'desc' },
  });
  return changes;
}

test('an edit says what each field was and is, and nothing of fields that stayed', async () => {
  await using catalog = await openCatalog();
  const tag = await catalog.tag();
  const { id } = await catalog.resource({ description: 'Old.', tagIds: [tag.id] });
  const input = { description: 'New.', pii: true, removeTagIds: [tag.id], url: 'https://a.test/' };
  await updateResource(catalog.admin, id, input);
  const changes = await changesOfLast(catalog, id);
  expect(changes).toHaveLength(4);
  expect(changes).toEqual(
    expect.arrayContaining([
      { field: 'description', before: 'Old.', after: 'New.', note: null },
      { field: 'pii', before: false, after: true, note: null },
      { field: 'tagIds', before: [tag.id], after: [], note: null },
      { field: 'url', before: null, after: 'https://a.test/', note: null },
    ]),
  );
});

test('a change of a role says which it was and which it is', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.user({ role: 'viewer' });
  await updateUser(catalog.admin, id, { role: 'admin' });
  expect(await changesOfLast(catalog, id)).toEqual([
    { field: 'role', before: 'viewer', after: 'admin', note: null },
  ]);
});

test('of a secret nothing is kept but that it was changed', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration({ type: 'postgres' });
  for (const password of ['canary-of-the-first', 'canary-of-the-second']) {
    await updateIntegration(catalog.admin, id, { credentials: { password } });
    expect(await changesOfLast(catalog, id)).toEqual([
      {
        field: 'credentials',
        before: null,
        after: 'changed',
        note: 'A secret: its values are not kept.',
      },
    ]);
  }
  const { workspaceId } = catalog;
  const omit = { sequence: true } as const;
  const where = { workspaceId };
  const log = JSON.stringify(await catalog.database.prisma.auditLog.findMany({ where, omit }));
  const { credentials } = await catalog.database.prisma.integration.findFirstOrThrow({
    where: { id },
  });
  expect(credentials?.length).toBeGreaterThan(50);
  expect(log).not.toContain('canary');
  expect(log).not.toContain(credentials);
});

test('a long text is cut, and how long it was is said', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource({ definition: 'a'.repeat(maxLength) });
  // The last character that is kept is the first half of one beyond 16 bits.
  await updateResource(catalog.admin, id, {
    definition: `${'b'.repeat(maxLength - 1)}👍 and more`,
  });
  expect(await changesOfLast(catalog, id)).toEqual([
    {
      field: 'definition',
      before: 'a'.repeat(maxLength),
      after: `${'b'.repeat(maxLength - 1)}\ufffd`,
      note: `${maxLength + 10} characters now. The first ${maxLength} are kept.`,
    },
  ]);
});

test('of a long list what went and what came is kept', () => {
  const ids = Array.from({ length: 2 * maxItems + 5 }, (_, i) => `id ${i}`);
  const [first, ...rest] = ids;
  const change = changeOf('memberIds', ids, [...rest, 'new']);
  expect(change).toEqual({
    field: 'memberIds',
    before: [first],
    after: ['new'],
    note: `A list of ${ids.length} before and ${ids.length} now: only what went (1) and what came (1) is kept.`,
  });
  const emptied = changeOf('memberIds', ids, []);
  expect(emptied.before).toEqual(ids.slice(0, maxItems));
  expect(emptied.note).toContain(`what went (${ids.length})`);
  expect(changeOf('memberIds', ids.slice(0, maxItems), [])).toMatchObject({ note: null });
});

test('a large object is kept as a text that is cut', () => {
  const { after, note } = changeOf('properties', null, { text: 'x'.repeat(5_000) });
  expect(after).toBe(JSON.stringify({ text: 'x'.repeat(5_000) }).slice(0, maxLength));
  expect(note).toBe(`5011 characters now. The first ${maxLength} are kept.`);
});
