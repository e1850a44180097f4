// What people of the sample workspace wrote: pages, terms, events, remarks, questions.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { createLineage } from '../lineage/edge.ts';
import { setValues } from '../properties/assign.ts';
import { createResource, updateResource } from '../resources/editing/edit.ts';
import { createQuestion, createReply, vote } from '../resources/questions/question.ts';
import { getResource } from '../resources/resource.ts';
import { actingFor, allNamed, named, type Organization } from './organization.ts';
import type { Sample, SampleEntry, SampleQuestion } from './sample.ts';

/** Write all that people wrote, in a transaction. */
export async function writeKnowledge(
  tx: Context,
  sample: Sample,
  organization: Organization,
): Promise<void> {
  for (const entry of sample.resources) await createTree(tx, organization, entry, null);
  const pages = new Map<string, string>();
  for (const { parent, ...document } of sample.documents) {
    const above = parent === undefined ? null : named(pages, parent);
    const page = { ...document, kind: 'document', verified: false } as const;
    const id = await create(tx, organization, page, above);
    pages.set(document.title, id);
  }
  const ids = await idsByTitle(tx, sample);
  for (const mark of sample.marks) await setMark(tx, organization, ids, mark);
  for (const { from, to } of sample.lineage) {
    await createLineage(tx, { fromId: named(ids, from), toId: named(ids, to) });
  }
  for (const question of sample.questions) await ask(tx, organization, question);
}

async function createTree(
  tx: Context,
  organization: Organization,
  { children = [], ...entry }: SampleEntry,
  parentId: string | null,
): Promise<void> {
  const id = await create(tx, organization, entry, parentId);
  for (const child of children) await createTree(tx, organization, child, id);
}

type Written = Omit<SampleEntry, 'children' | 'ownerGroups'> & { ownerGroups?: string[] };

async function create(
  tx: Context,
  { teams, tags, groups }: Organization,
  { kind, teams: t, tags: g, ownerGroups = [], collections, ...fields }: Written,
  parentId: string | null,
): Promise<string> {
  const { id } = await createResource(tx, kind, {
    ...fields,
    parentId,
    published: true,
    teamIds: allNamed(teams, t),
    tagIds: allNamed(tags, g),
    ownerGroupIds: allNamed(groups, ownerGroups),
    collectionIds: allNamed(await collectionIds(tx), collections),
  });
  return id;
}

async function collectionIds({ db, workspaceId }: Context): Promise<Map<string, string>> {
  const found = await db.resource.findMany({ where: { workspaceId, kind: 'collection' } });
  return new Map(found.map(({ id, title }) => [title, id]));
}

/** The ids of all that marks and edges name by full title. */
async function idsByTitle(tx: Context, { marks, lineage }: Sample): Promise<Map<string, string>> {
  const titles = [
    ...marks.flatMap(({ on }) => on),
    ...lineage.flatMap((edge) => [edge.from, edge.to]),
  ];
  const found = await rows<{ id: string; title: string }>(
    tx,
    Prisma.sql`select id, title_full as title from resource
      where workspace_id = ${tx.workspaceId}::uuid and title_full = any(${titles})`,
  );
  return new Map(found.map(({ id, title }) => [title, id]));
}

async function setMark(
  tx: Context,
  { teams, tags, groups, properties }: Organization,
  ids: ReadonlyMap<string, string>,
  { on, properties: values, ...mark }: Sample['marks'][number],
): Promise<void> {
  const collections = allNamed(await collectionIds(tx), mark.collections);
  const { definition, verified, pii } = mark;
  for (const id of allNamed(ids, on)) {
    const { teamIds, tagIds, ownerGroupIds, collectionIds: kept } = await getResource(tx, id);
    await updateResource(tx, id, {
      definition,
      verified,
      pii,
      // The sets that are given replace those that are there; a mark adds to them.
      ...(mark.teams.length > 0 ? { teamIds: [...teamIds, ...allNamed(teams, mark.teams)] } : {}),
      ...(mark.tags.length > 0 ? { tagIds: [...tagIds, ...allNamed(tags, mark.tags)] } : {}),
      ...(mark.ownerGroups.length > 0
        ? { ownerGroupIds: [...ownerGroupIds, ...allNamed(groups, mark.ownerGroups)] }
        : {}),
      ...(collections.length > 0 ? { collectionIds: [...kept, ...collections] } : {}),
    });
  }
  const given = Object.entries(values);
  if (given.length === 0) return;
  const byId = new Map(given.map(([name, value]) => [named(properties, name), value]));
  await setValues(tx, allNamed(ids, on), byId);
}

async function ask(
  tx: Context,
  { users }: Organization,
  { by, title, text, priority, assignedTo, answer, replies, votes }: SampleQuestion,
): Promise<void> {
  const as = (email: string) => actingFor(tx, named(users, email));
  const { id } = await createQuestion(await as(by), {
    title,
    definition: text,
    priority,
    ...(assignedTo === undefined ? {} : { assignedToId: named(users, assignedTo) }),
    ...(answer === undefined ? {} : { answer }),
  });
  for (const { by: replier, text: definition, accepted } of replies) {
    const reply = { definition, parentId: id, acceptedAnswer: accepted };
    await createReply(await as(replier), reply);
  }
  for (const voter of votes) await vote(await as(voter), id, 1);
}
