// Races about sets: tags, collections, members, bookmarks, values of custom properties.

import { atOnce, type Course, type Done, differs, doubled, inOrder, type Race } from './race.ts';

/** A change of a set. */
interface SetChange {
  readonly whole?: readonly string[] | undefined;
  readonly add?: readonly string[] | undefined;
  readonly remove?: readonly string[] | undefined;
}

/** What a set is after changes, in their order. */
function setAfter(before: readonly string[], done: readonly Done<SetChange>[]): string[] {
  return inOrder(done).reduce<string[]>(
    (set, { change: { whole, add = [], remove = [] } }) =>
      [...new Set([...(whole ?? set), ...add])].filter((one) => !remove.includes(one)),
    [...before],
  );
}

/** A random change of a set of two or three of these. */
function changeOf({ random }: Course, [a = '', b = '', c]: readonly string[]): SetChange {
  return random.pick<SetChange>([
    { add: [a] },
    { add: c ? [b, c] : [b] },
    { remove: [a] },
    c ? { add: [c], remove: [b] } : { add: [b], remove: [a] },
    { whole: [b] },
    {},
  ]);
}

const tag = 'mutation($input: CreateTagInput!) { createTag(input: $input) { id } }';
const create = `mutation($kind: ResourceKind!, $input: CreateResourceInput!) {
  createResource(kind: $kind, input: $input) { id } }`;
const update = `mutation($id: ID!, $input: UpdateResourceInput!) {
  updateResource(id: $id, input: $input) { version } }`;

async function three(course: Course, query: string, input: object, more: object = {}) {
  const ids: string[] = [];
  for (const at of ['a', 'b', 'c']) {
    const made = await course.make(query, {
      ...more,
      input: { ...input, ...('name' in input ? { name: `${at} ${course.number}` } : {}) },
    });
    ids.push(made.id);
  }
  return ids;
}

/** Changes of one set of a resource, in whole and in part, alongside edits that name none. */
function setRace(
  set: 'TagIds' | 'CollectionIds',
  idsFor: (course: Course) => Promise<string[]>,
): Race {
  return async (course) => {
    const [id, ids] = [await course.table(), await idsFor(course)];
    const field = set === 'TagIds' ? 'tagIds' : 'collectionIds';
    const shown = set === 'TagIds' ? 'tags' : 'collections';
    const query = `query($id: ID!) { resource(id: $id) { ${shown} { id } } }`;
    const idsNow = async (): Promise<string[]> =>
      (await course.make(query, { id }))[shown].map((one: { id: string }) => one.id);
    const before = await idsNow();
    const changes = course.people.map(() => changeOf(course, ids));
    const done = await atOnce(course, changes, async (person, change, at) => {
      const { whole, add, remove } = change;
      const input = {
        [field]: whole,
        [`add${set}`]: add,
        [`remove${set}`]: remove,
        ...(whole || add || remove ? {} : { icon: `${at}` }),
      };
      const outcome = course.count(await person.graphql(update, { id, input }));
      return outcome ? [{ version: outcome.data.version, change }] : [];
    });
    return {
      check: async () => {
        const found = await idsNow();
        return [...doubled(done.flat()), ...differs(field, found, setAfter(before, done.flat()))];
      },
    };
  };
}

export const tags = setRace('TagIds', (course) => three(course, tag, { name: '' }));
export const collections = setRace('CollectionIds', (course) =>
  three(course, create, { title: 'Collection' }, { kind: 'collection' }),
);

/** A tag is deleted while it is put on resources: it is on none. */
export const deletedTag: Race = async (course) => {
  const [gone = ''] = await three(course, tag, { name: '' });
  const ids = [await course.table(), await course.table()];
  const deeds = [
    (person: Course['admin']) =>
      person.graphql('mutation($id: ID!) { deleteTag(id: $id) { id } }', { id: gone }),
    ...ids.map(
      (id) => (person: Course['admin']) =>
        person.graphql(update, { id, input: { addTagIds: [gone] } }),
    ),
  ];
  await atOnce(course, deeds.slice(0, course.people.length), async (person, deed) => {
    course.count(await deed(person), ['BAD_REQUEST']);
  });
  return {
    check: async () => {
      const tagged = await Promise.all(
        ids.map((id) => course.make('query($id: ID!) { resource(id: $id) { tagIds } }', { id })),
      );
      const still = tagged.filter(({ tagIds }) => tagIds.includes(gone)).length;
      return differs('what still has the deleted tag', still, 0);
    },
  };
};

/** A team is deleted while it is given resources: it holds none, and none is left without a team. */
export const deletedTeam: Race = async (course) => {
  const { id: gone } = await course.make(
    'mutation($input: CreateTeamInput!) { createTeam(input: $input) { id } }',
    { input: { name: `Team ${course.number}` } },
  );
  const ids = [await course.table(), await course.table()];
  const deeds = [
    (person: Course['admin']) =>
      person.graphql('mutation($id: ID!) { archiveTeam(id: $id) { id } }', { id: gone }),
    ...ids.map(
      (id) => (person: Course['admin']) =>
        person.graphql(update, { id, input: { teamIds: [gone] } }),
    ),
  ];
  const given: string[] = [];
  await atOnce(course, deeds.slice(0, course.people.length), async (person, deed, at) => {
    const id = ids[at - 1];
    if (course.count(await deed(person), ['BAD_REQUEST']) && id) given.push(id);
  });
  return {
    check: async () => {
      const query = 'query($id: ID!) { resource(id: $id) { teamIds } }';
      const all = await Promise.all(ids.map((id) => course.make(query, { id })));
      const held = await Promise.all(given.map((id) => course.make(query, { id })));
      return [
        ...differs(
          'what it still holds',
          all.filter((one) => one.teamIds.includes(gone)).length,
          0,
        ),
        ...differs('what no team holds', held.filter((one) => one.teamIds.length === 0).length, 0),
      ];
    },
  };
};

/** Members come and go, one by one and as a whole list. */
function memberRace(noun: 'Team' | 'Group'): Race {
  return async (course) => {
    const ids = course.people.map(({ id }) => id);
    const made = await course.make(
      `mutation($input: Create${noun}Input!) { create${noun}(input: $input) { id memberIds } }`,
      { input: { name: `${noun} ${course.number}` } },
    );
    const mutation = `mutation($id: ID!, $input: Update${noun}Input!) {
      update${noun}(id: $id, input: $input) { version } }`;
    const changes = course.people.map(() => {
      const change = changeOf(course, ids);
      return noun === 'Team' && change.whole ? { add: change.whole } : change;
    });
    const done = await atOnce(course, changes, async (person, { whole, add, remove }, at) => {
      const isNone = !whole && !add && !remove;
      const input = {
        ...(whole ? { memberIds: whole } : {}),
        ...(add ? { addMemberIds: add } : {}),
        ...(remove ? { removeMemberIds: remove } : {}),
        ...(isNone ? { description: `${at}` } : {}),
      };
      const outcome = course.count(await person.graphql(mutation, { id: made.id, input }));
      return outcome ? [{ version: outcome.data.version, change: { whole, add, remove } }] : [];
    });
    return {
      check: async () => {
        const query = `query($id: ID!) { ${noun.toLowerCase()}(id: $id) { memberIds } }`;
        const found = await course.make(query, { id: made.id });
        const wanted = setAfter(made.memberIds, done.flat());
        return [...doubled(done.flat()), ...differs('the members', found.memberIds, wanted)];
      },
    };
  };
}

export const teamMembers = memberRace('Team');
export const groupMembers = memberRace('Group');

/** Everybody joins a team, and bookmarks and opens one resource, by themselves. */
export const joining: Race = async (course) => {
  const team = await course.make(
    'mutation($input: CreateTeamInput!) { createTeam(input: $input) { id } }',
    {
      input: { name: `Joined ${course.number}` },
    },
  );
  const id = await course.table();
  const joined: string[] = [];
  const marked: string[] = [];
  await atOnce(course, course.people, async (person) => {
    const join = 'mutation($id: ID!) { joinTeam(id: $id) { id } }';
    const mark = 'mutation($id: ID!) { bookmarkResource(id: $id) { id } }';
    const view = 'mutation($id: ID!) { viewResource(id: $id) { id } }';
    const [one, two, three] = await Promise.all([
      person.graphql(join, { id: team.id }),
      person.graphql(mark, { id }),
      person.graphql(view, { id }),
    ]);
    if (course.count(one)) joined.push(person.id);
    if (course.count(two)) marked.push(person.id);
    course.count(three);
  });
  return {
    check: async () => {
      const found = await course.make('query($id: ID!) { team(id: $id) { memberIds } }', {
        id: team.id,
      });
      const members: string[] = found.memberIds;
      const read = await course.admin.rest('GET', `/table/tables/${id}`);
      const { bookmarked_by: bookmarks, internal_usage: opened } = read.data;
      return [
        ...differs('who joined', joined.filter((one) => !members.includes(one)).length, 0),
        ...differs('who bookmarked it', bookmarks, marked),
        ...differs('how often it was opened', opened, course.people.length),
      ];
    },
  };
};

/** Values of several custom properties of one resource, each set by somebody else. */
export const values: Race = async (course) => {
  const id = await course.table();
  const define =
    'mutation($input: CreateCustomPropertyInput!) { createCustomProperty(input: $input) { id } }';
  const properties = await three(course, define, { name: '' });
  const set = `mutation($id: ID!, $resourceId: ID!, $value: String!) {
    setCustomProperty(id: $id, resourceId: $resourceId, value: $value) { version } }`;
  const used = properties.slice(0, course.people.length);
  const done = await atOnce(course, used, async (person, property, at) => {
    const variables = { id: property, resourceId: id, value: `value ${at}` };
    return course.count(await person.graphql(set, variables)) ? [`value ${at}`] : [];
  });
  return {
    check: async () => {
      const found = await course.make(
        'query($id: ID!) { resource(id: $id) { customProperties { value } } }',
        { id },
      );
      const stored: { value: string }[] = found.customProperties;
      return differs(
        'the values',
        stored.map(({ value }) => value),
        done.flat(),
      );
    },
  };
};
