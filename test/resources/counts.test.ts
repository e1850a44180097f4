// How many ids a set on a resource may have.

import { expect, test } from 'vitest';
import { createResource, updateResource } from '../../src/resources/editing/edit.ts';
import { openCatalog } from '../catalog.ts';

test('a list of more ids than a set may have is refused by its length, whatever is in it', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource({});
  const many = Array.from({ length: 10_001 }, (_, n) => `nothing ${n}`);
  const refused = (field: string) => ({
    code: 'BAD_REQUEST',
    fields: [{ field, message: 'Use at most 10000 ids, not 10001.' }],
  });
  const created = createResource(catalog.admin, 'table', { tagIds: many });
  await expect(created).rejects.toMatchObject(refused('tags'));
  const updated = updateResource(catalog.admin, table.id, { removeOwnerIds: many });
  await expect(updated).rejects.toMatchObject(refused('remove_owners'));
});
