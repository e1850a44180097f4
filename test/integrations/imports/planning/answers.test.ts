// Questions say what their accepted replies say, also where an import changes these.

import { expect, test } from 'vitest';
import { updateResource } from '../../../../src/resources/editing/edit.ts';
import { updateReply } from '../../../../src/resources/question.ts';
import { getResource } from '../../../../src/resources/resource.ts';
import { type Catalog, openCatalog } from '../../../catalog.ts';
import { counts, feedJsonl } from '../feed.ts';

const question = { entity_type: 'question', databuilder_id: 'q', title: 'Which currency?' };
const reply = (databuilder_id: string, definition: string) => ({
  ...{ entity_type: 'question_reply', databuilder_id, parent_databuilder_id: 'q' },
  ...{ title: databuilder_id, definition },
});

/** A question with two replies, one of them accepted. */
async function answered(catalog: Catalog) {
  const integration = await catalog.integration();
  const said = [question, reply('a', 'EUR'), reply('b', 'None')];
  await feedJsonl(catalog, integration, { resources: said });
  const { database, workspaceId, admin } = catalog;
  const byKey = (databuilderId: string) =>
    database.prisma.resource.findFirstOrThrow({ where: { workspaceId, databuilderId } });
  const [{ id }, a] = [await byKey('q'), await byKey('a')];
  await updateReply(admin, a.id, { acceptedAnswer: true });
  return { integration, id, accepted: a.id, asked: () => getResource(catalog.admin, id) };
}

test('an import that changes the accepted reply changes the answer, and tells who follows the question', async () => {
  await using catalog = await openCatalog();
  const { database, workspaceId, admin } = catalog;
  const { integration, id, asked } = await answered(catalog);
  await updateResource(admin, id, { subscriberIds: [catalog.idOf('editor')] });
  await database.prisma.resourceChange.deleteMany({ where: { workspaceId } });
  const before = await asked();
  const updatedAt = new Date(Date.now() + 3_600_000);
  catalog.setTime(updatedAt);

  const resources = [question, reply('a', 'EUR, since May'), reply('b', 'None')];
  const result = await feedJsonl(catalog, integration, { resources });

  expect(result).toEqual(counts({ updated: 1, unchanged: 2 }));
  expect(await asked()).toMatchObject({
    ...{ answer: 'EUR, since May', questionStatus: 'Answered', answeredById: null },
    ...{ version: before.version + 1, updatedAt },
  });
  const noted = await database.prisma.resourceChange.findMany({ where: { workspaceId } });
  expect(noted.map(({ resourceId, what }) => [resourceId, what])).toEqual([[id, 'answer']]);
});

test('another reply of it changes nothing of the question, nor does one that a person edited', async () => {
  await using catalog = await openCatalog();
  const { integration, accepted, asked } = await answered(catalog);
  const before = await asked();
  const other = [question, reply('a', 'EUR'), reply('b', 'Unknown')];
  expect(await feedJsonl(catalog, integration, { resources: other })).toMatchObject({ updated: 1 });
  expect(await asked()).toEqual(before);

  await updateReply(catalog.admin, accepted, { definition: 'USD' });
  const edited = await asked();
  expect(edited).toMatchObject({ answer: 'USD' });
  const again = [question, reply('a', 'CHF'), reply('b', 'None')];
  expect(await feedJsonl(catalog, integration, { resources: again })).toMatchObject({ updated: 1 });
  expect(await asked()).toEqual(edited);
});
