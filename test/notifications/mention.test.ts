// Who is mentioned in a text is notified of it: once for each save, where they may see it.

import { expect, test } from 'vitest';
import type { User } from '../../src/generated/prisma/client.ts';
import { listInbox } from '../../src/notifications/inbox.ts';
import { createResource, updateResource } from '../../src/resources/editing/edit.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { startMail } from './mail-server.ts';
import { workOff } from './work-off.ts';

async function inboxOf(catalog: Catalog, user: User) {
  const { nodes } = await listInbox(catalog.contextOf(user), {}, { first: 50 });
  return nodes.map(({ event, content }) => ({ event, content }));
}

const mention = (id: string, name = 'Somebody') => `[@${name}](user:${id})`;

test('a save notifies whom it names and the text before did not, and not who saved it', async () => {
  const catalog = await openCatalog();
  await using mail = await startMail(catalog);
  const marta = await catalog.user({
    email: 'marta@example.com',
    firstName: 'Marta',
    role: 'editor',
  });
  const lea = await catalog.user({
    email: 'lea@example.com',
    firstName: 'Lea',
    lastName: 'Novak',
    role: 'editor',
  });
  const reader = await catalog.user({ email: 'reader@example.com', role: 'viewer' });
  const asLea = catalog.contextOf(lea);
  const { id } = await createResource(asLea, 'document', {
    title: 'The monthly close',
    definition: `Ask ${mention(marta.id)}, ${mention(marta.id.toUpperCase())} or ${mention(lea.id)}.`,
  });
  await workOff(catalog);
  const content = { title: 'Lea Novak mentioned you in The monthly close', resources: [id] };
  expect(await inboxOf(catalog, marta)).toEqual([
    { event: 'mentioned', content: expect.objectContaining(content) },
  ]);
  expect(await inboxOf(catalog, lea)).toEqual([]);
  expect(mail.mails.map(({ to }) => to)).toEqual(['marta@example.com']);

  // A later save that still names her is no news; one that names her again after that is.
  await updateResource(asLea, id, { definition: `Still ${mention(marta.id)}.` });
  await updateResource(asLea, id, { title: 'Renamed' });
  await workOff(catalog);
  expect(await inboxOf(catalog, marta)).toHaveLength(1);
  await updateResource(asLea, id, { definition: 'No one.' });
  await updateResource(asLea, id, { description: mention(marta.id) });
  await workOff(catalog);
  expect(await inboxOf(catalog, marta)).toHaveLength(2);

  // Who may not see it gets to know nothing, until they may.
  await updateResource(asLea, id, { definition: mention(reader.id) });
  await workOff(catalog);
  expect(await inboxOf(catalog, reader)).toEqual([]);
  await updateResource(asLea, id, { definition: 'No one.', published: true });
  await updateResource(asLea, id, { definition: `${mention(reader.id)} ${mention(id)}` });
  await workOff(catalog);
  expect(await inboxOf(catalog, reader)).toHaveLength(1);
});

test('what names someone in code, an unknown id or none is saved all the same', async () => {
  const catalog = await openCatalog();
  const { id } = await catalog.resource({ title: 'odd', kind: 'document' });
  const unknown = '00000000-0000-4000-8000-000000000000';
  const text = `${mention(unknown)} [x](user:) [y](user:1234) ${mention(unknown)}`;
  expect((await updateResource(catalog.admin, id, { definition: text })).definition).toBe(text);
  await workOff(catalog);
});
