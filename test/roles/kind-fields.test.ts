// What hangs on a resource of each kind is read by who may see it, and by no one else.

import { getNamedType, isCompositeType, isInterfaceType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { kinds } from '../../src/resources/kind.ts';
import { type ActiveKeys, type Asker, openAsked } from './callers.ts';
import { requestFor } from './graphql-requests.ts';
import { change } from './ties.ts';
import { canaries, isKind, type Place, resourceKinds, type Thing } from './world.ts';

let place: Place;
let askers: ActiveKeys;
beforeAll(async () => {
  ({ place, askers } = await openAsked());
  // Its full title stays, which says what something lies in to the one who sees it.
  await place.hidden.one('announcement');
  await change(place, await place.shown.one('column'), {
    parentId: await place.hidden.one('table'),
  });
}, 60_000);
afterAll(() => place.catalog[Symbol.asyncDispose]());

const resource = schema.getType('Resource');
if (!isInterfaceType(resource)) throw new Error('Resource is no interface.');

/** Fields that lead on from a type: what they answer may be for fewer people than what it hangs on. */
const leadingFrom = (type: Pick<typeof resource, 'getFields'>) =>
  Object.values(type.getFields())
    .filter((field) => isCompositeType(getNamedType(field.type)))
    .map(({ name }) => name);

const common = leadingFrom(resource);
/** What is the viewer's own, or for the one who sees the resource. */
const forAll = [
  ...['currentUserPermissions', 'monitors', 'openIncidents', 'sourceFile', 'tags'],
  ...['usageDays', 'keys', 'profile', 'comments', 'reactionCounts', 'approvedBy'],
];
const own = schema.getPossibleTypes(resource).flatMap((type) => {
  const fields = leadingFrom(type).filter((name) => ![...common, ...forAll].includes(name));
  return fields.length === 0 ? [] : [{ type: type.name, fields }];
});

/** The one of a sort that everybody sees, as somebody reads it. Holds that nothing of it is not for them. */
async function readBy(thing: Thing, asker: Asker): Promise<Readonly<Record<string, unknown>>> {
  const field = schema.getQueryType()?.getFields().resource;
  if (!field) throw new Error('There is no query `resource`.');
  const { query, variables } = await requestFor('query', field, () => place.shown.one(thing), '');
  const { data, errors } = await place.catalog.graphql(query, variables, asker.caller);
  expect(errors, thing).toBeUndefined();
  const text = JSON.stringify(data);
  expect(asker.unseenIn(text, JSON.stringify(variables)), `${asker.name}: ${text}`).toEqual([]);
  return data.resource;
}

/** Those of some fields with a word for editors or members in them. */
const tellingIn = (record: Readonly<Record<string, unknown>>, fields: readonly string[]) =>
  fields.filter((field) => {
    // Where types differ in what a field of one name answers, the request names it after its type.
    const name = field in record ? field : `${field}Of${record.__typename}`;
    const text = JSON.stringify(record[name]);
    return text.includes(canaries.editors) || text.includes(canaries.members);
  });

test.each(own)('$fields of $type show editors what others do not get to read', async (kind) => {
  const { type, fields } = kind;
  const thing = Object.keys(resourceKinds)
    .filter(isKind)
    .find((one) => kinds[resourceKinds[one]].type === type);
  if (!thing) throw new Error(`Make a ${type} in world.ts, and in ties.ts what hangs on it.`);
  const { editor, viewer, guest } = askers.byRole;
  expect(tellingIn(await readBy(thing, editor), fields)).toEqual(fields);
  for (const asker of [viewer, guest]) {
    expect(await readBy(thing, asker), asker.name).toMatchObject({ __typename: type });
  }
});

test('what hangs on resources of every kind shows editors what others do not get to read', async () => {
  const { editor, viewer, guest } = askers.byRole;
  const telling = [
    ...tellingIn(await readBy('table', editor), common),
    ...tellingIn(await readBy('column', editor), ['parent', 'announcements']),
  ];
  expect(telling.sort()).toEqual(common.filter((field) => !forAll.includes(field)).sort());
  for (const thing of ['table', 'column'] as const) {
    for (const asker of [viewer, guest]) await readBy(thing, asker);
  }
});
