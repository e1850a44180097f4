// Things of a workspace that hang on others and are for few.

import { randomUUID } from 'node:crypto';
import type { Prisma } from '../../src/generated/prisma/client.ts';
import { createLineage } from '../../src/lineage/edge.ts';
import { setValues } from '../../src/properties/assign.ts';
import { createResource, updateResource } from '../../src/resources/editing/edit.ts';
import { canaries, type Place } from './world.ts';

/** Tie what everybody sees to what only some do, in every way there is. */
export async function tie(place: Place): Promise<void> {
  await tieTable(place);
  await tieLineage(place);
  await tieQuestion(place);
  await tieTerm(place);
  await tieTests(place);
  await tieRuns(place);
  const { catalog, hidden, shown } = place;
  await change(place, await shown.one('document'), { baseEntityId: await hidden.one('table') });
  await catalog.team({ name: `${canaries.members} team` });
  const { workspaceId, database } = catalog;
  await database.prisma.incidentAction.create({
    data: {
      ...{ workspaceId, incidentId: await shown.one('incident'), type: 'comment' },
      ...{ userId: await shown.one('user'), userName: canaries.members },
      comment: 'zzcanaryeverybody',
    },
  });
}

type Data = Prisma.ResourceUncheckedUpdateInput;

/** Write fields of a resource, those included that the program writes by itself. */
export async function change({ catalog }: Place, id: string, data: Data): Promise<void> {
  const { workspaceId, database } = catalog;
  const where = { workspaceId_id: { workspaceId, id } };
  await database.prisma.resource.update({ where, data });
}

/** The full name that a table has, which a request knows by the table's id. */
export const fullNameOf = (id: string) => `zzcanaryeverybody.${id}`;

async function tieTable(place: Place): Promise<void> {
  const { catalog, hidden, shown, closed, guests } = place;
  const [table, user] = [await shown.one('table'), await shown.one('user')];
  const ids = { ownerIds: [user], subscriberIds: [user], bookmarkedByIds: [user] };
  const people = { ...ids, multiplayerIds: [user], internalUserIds: [user], createdById: user };
  await change(place, table, {
    ...people,
    ...{ ownerGroupIds: [await shown.one('group')], externalUserIds: [user] },
    ...{ multiplayerLastModifiedBy: user },
    collectionIds: [await shown.one('collection'), await hidden.one('collection')],
    teamIds: [closed, guests],
    integrationId: await shown.one('integration'),
    tagIds: [await shown.one('tag')],
    titleFull: fullNameOf(table),
    shared: true,
    ...{ deprecatedAt: new Date(0), successorId: await hidden.one('table') },
  });
  const { workspaceId, database } = catalog;
  const claim = { workspaceId, resourceId: table };
  await database.prisma.resourceClaim.createMany({
    data: [
      { ...claim, integrationId: await shown.one('integration'), key: 'file', rank: 2 },
      { ...claim, integrationId: await shown.one('project'), key: 'model', rank: 3 },
      { ...claim, integrationId: await shown.one('source'), key: 'gone', rank: 1, live: false },
    ],
  });
  const [about, of] = [
    await catalog.property({ name: 'zzcanaryeverybody about', valueType: 'resource' }),
    await catalog.property({ name: 'zzcanaryeverybody of', valueType: 'user' }),
  ];
  const values = [
    [about.id, await hidden.one('table')],
    [of.id, user],
  ] as const;
  await setValues(catalog.admin, [table], new Map(values));
  const version = { resourceId: table, version: 1, definition: 'zzcanaryeverybody' };
  await database.prisma.resourceVersion.create({
    data: { workspaceId, ...version, authorId: user },
  });
  const under = { title: `${canaries.editors} column`, parentId: table, published: false };
  const column = await createResource(catalog.admin, 'column', { ...under, teamIds: [closed] });
  const within = { ...under, title: `${canaries.editors} field`, parentId: column.id };
  await createResource(catalog.admin, 'column', { ...within, teamIds: [closed] });
  // A column says where it lies, but not what that is.
  const few = { title: 'zzcanaryeverybody', description: canaries.editors, published: false };
  const above = await createResource(catalog.admin, 'table', { ...few, teamIds: [closed] });
  await change(place, await shown.one('column'), { parentId: above.id });
}

async function tieLineage({ catalog, hidden, shown }: Place): Promise<void> {
  const { admin } = catalog;
  const [table, secret] = [await shown.one('table'), await hidden.one('table')];
  const elsewhere = { title: `${canaries.members} table`, published: true };
  const beyond = await createResource(admin, 'table', elsewhere);
  await createLineage(admin, { fromId: table, toId: beyond.id });
  await createLineage(admin, { fromId: secret, toId: table });
  await createLineage(admin, { fromId: table, toId: await hidden.fresh('table') });
}

async function tieQuestion(place: Place): Promise<void> {
  const { catalog, shown, closed } = place;
  const [question, user] = [await shown.one('question'), await shown.one('user')];
  const answer = 'zzcanaryeverybody';
  await change(place, question, { assignedToId: user, answeredById: user, answer });
  const reply = { title: `${canaries.editors} reply`, published: false, teamIds: [closed] };
  await createResource(catalog.admin, 'question_reply', { ...reply, parentId: question });
}

/** A term names what only some see, and is named by it. */
async function tieTerm({ catalog, hidden, shown }: Place): Promise<void> {
  const [term, secret] = [await shown.one('term'), await hidden.one('term')];
  const named = { name: 'zzcanaryeverybody term', valueType: 'resource' } as const;
  const { id } = await catalog.property(named);
  await setValues(catalog.admin, [term], new Map([[id, secret]]));
  await setValues(catalog.admin, [await hidden.one('column')], new Map([[id, term]]));
  await updateResource(catalog.admin, term, { addRelatedTermIds: [secret] });
}

/** Tests of what everybody sees, of which some say more than that: where it lies, and what the data are. */
async function tieTests(place: Place): Promise<void> {
  const { catalog, hidden, shown } = place;
  const { workspaceId, database } = catalog;
  const [table, column] = [await shown.one('table'), await shown.one('column')];
  const elsewhere = await hidden.one('table');
  const within = await hidden.fresh('column');
  await change(place, within, { parentId: table });
  const integrationId = await shown.one('project');
  const about = { workspaceId, integrationId, status: 'fail' };
  const everybody = { name: 'zzcanaryeverybody test', message: canaries.editors };
  const few = { name: canaries.editors, description: canaries.editors };
  await database.prisma.dataTest.createMany({
    data: [
      { ...about, ...everybody, key: 'of a table', resourceId: table },
      { ...about, ...everybody, key: 'of a column', resourceId: elsewhere, columnId: column },
      { ...about, ...few, key: canaries.editors, resourceId: table, columnId: within },
    ],
  });
  const run = {
    workspaceId,
    integrationId,
    invocationId: 'one',
    nodeKey: 'model',
    status: 'error',
  };
  await database.prisma.runResult.create({
    data: { ...run, resourceId: table, message: canaries.editors, completedAt: new Date() },
  });
}

/** Runs of a job that everybody sees, and a table that a job wrote which only some do. */
async function tieRuns(place: Place): Promise<void> {
  const { catalog, hidden, shown } = place;
  const { workspaceId, database } = catalog;
  const integrationId = await shown.one('integration');
  const namespace = canaries.editors;
  const at = new Date();
  for (const world of [shown, hidden]) {
    const databuilderId = await world.one('pipeline');
    await change(place, databuilderId, { integrationId, databuilderId });
    const job = { workspaceId, id: databuilderId, namespace, name: databuilderId, said: {} };
    await database.prisma.openLineageJob.create({
      data: { ...job, integrationId, key: databuilderId },
    });
    await database.prisma.openLineageRun.create({
      data: {
        ...{ workspaceId, id: databuilderId, jobId: databuilderId, runId: 'zzcanaryeverybody' },
        ...{ state: 'failed', startedAt: at, lastEventAt: at, said: {} },
        error: canaries.editors,
      },
    });
  }
  const run = await hidden.one('pipeline');
  // The table is the file of that integration: `tieTable` says so.
  await database.prisma.openLineageDataset.create({
    data: {
      ...{ workspaceId, id: randomUUID(), namespace, name: 'file', integrationId, key: 'file' },
      said: { writtenBy: [`${at.toISOString()} `, { run }] },
    },
  });
}
