// Races about the fields of one resource: edited, saved as a whole, saved on a condition.

import {
  atOnce,
  type Course,
  type Done,
  differs,
  doubled,
  inOrder,
  type Race,
  some,
  type Verdict,
} from './race.ts';

const update = `mutation($id: ID!, $input: UpdateResourceInput!, $version: Int) {
  updateResource(id: $id, input: $input, expectedVersion: $version) { version } }`;

const record = `query($id: ID!) { resource(id: $id) {
  description definition definitionVersion pii verified tagIds owners { id } version } }`;

/** The table as it is, its owners by their ids. */
async function recordOf(course: Course, id: string) {
  const { owners, ...found } = await course.make(record, { id });
  return { ...found, ownerIds: owners.map((owner: { id: string }) => owner.id) };
}

/** Save things at once; what was acknowledged. */
async function save(course: Course, id: string, inputs: readonly object[], version?: number) {
  const mayBe = version === undefined ? [] : ['CONFLICT'];
  const done = await atOnce(course, inputs, async (person, input) => {
    const outcome = course.count(await person.graphql(update, { id, input, version }), mayBe);
    return outcome ? [{ version: Number(outcome.data.version), change: input }] : [];
  });
  return done.flat();
}

/** What each field must be: as the last one left it who named it. */
function lastOf(done: readonly Done<object>[]): Map<string, unknown> {
  return new Map(inOrder(done).flatMap(({ change }) => Object.entries(change)));
}

async function wrongFields(course: Course, id: string, done: readonly Done<object>[]) {
  const found = await recordOf(course, id);
  const fields = [...lastOf(done)].flatMap(([name, value]) => differs(name, found[name], value));
  return [...doubled(done), ...fields];
}

/** Different fields of one table, each edited by somebody else. */
export const fields: Race = async (course) => {
  const id = await course.table();
  const tag = await tagOf(course);
  const inputs = some(
    course,
    [
      { description: `described ${course.number}` },
      { definition: `documented ${course.number}` },
      { tagIds: [tag] },
      { ownerIds: course.people.map((person) => person.id) },
      { pii: true },
    ],
    course.people.length,
  );
  const done = await save(course, id, inputs);
  return { check: () => wrongFields(course, id, done) };
};

/** The same record, saved as a whole by everybody: the last one stands, all of it. */
export const wholes: Race = async (course) => {
  const id = await course.table();
  const tag = await tagOf(course);
  const inputs = course.people.map((person, at) => ({
    description: `described ${course.number} by ${at}`,
    definition: `documented ${course.number} by ${at}`,
    tagIds: at === 0 ? [] : [tag],
    ownerIds: [person.id],
    verified: at === 1,
  }));
  const done = await save(course, id, inputs);
  return { check: () => wrongFields(course, id, done) };
};

/** Documentation of one table: everybody's is a version, in an order without gaps. */
export const documentation: Race = async (course) => {
  const id = await course.table();
  const texts = course.people.map((_, at) => `text ${course.number}.${at}`);
  const done = await save(
    course,
    id,
    texts.map((definition) => ({ definition })),
  );
  return { check: () => wrongVersions(course, id, done) };
};

async function wrongVersions(course: Course, id: string, done: readonly Done<object>[]) {
  const found = await course.make(
    `query($id: ID!) { resource(id: $id) { definition definitionVersion
      versions(first: 100) { nodes { version definition } } } }`,
    { id },
  );
  const kept: { version: number; definition: string }[] = found.versions.nodes;
  const gapless = kept.map((_, at) => kept.length - at);
  const words = new Set(kept.map(({ definition }) => definition));
  const missing = [...done].flatMap(({ change }) =>
    Object.values(change).filter((text) => !words.has(text)),
  );
  return [
    ...(await wrongFields(course, id, done)),
    ...missing.map((text) => `the version "${text}" is not kept`),
    ...differs('the order of versions', kept.map(({ version }) => version).join(), gapless.join()),
    ...differs('the newest version', kept[0]?.definition, found.definition),
    ...differs('the number of the version', kept[0]?.version, found.definitionVersion),
  ];
}

/** Everybody saves what they read: one succeeds. */
export const expected: Race = async (course) => {
  const id = await course.table();
  const { version } = await course.make(record, { id });
  const inputs = course.people.map((_, at) => ({ description: `mine ${course.number}.${at}` }));
  const done = await save(course, id, inputs, version);
  return verdictOfOne(course, id, done);
};

/** The same over REST, with the tag of what was read. */
export const tagged: Race = async (course) => {
  const id = await course.table();
  const read = await course.admin.rest('GET', `/table/tables/${id}`);
  const tag = read.headers.get('etag') ?? '';
  const done = await atOnce(course, course.people, async (person, _, at) => {
    const change = { description: `mine ${course.number}.${at}` };
    const answer = await person.rest('PATCH', `/table/tables/${id}`, change, { 'if-match': tag });
    const outcome = course.count(answer, ['412']);
    const version = Number(/^"(\d+)/.exec(outcome?.headers.get('etag') ?? '')?.[1]);
    return outcome ? [{ version, change }] : [];
  });
  return verdictOfOne(course, id, done.flat());
};

function verdictOfOne(course: Course, id: string, done: readonly Done<object>[]): Verdict {
  return {
    check: async () => [
      // An import may have come between, of which they were told then: none of them succeeds.
      ...(done.length > 1 ? [`${done.length} saved what only one had read`] : []),
      ...(await wrongFields(course, id, done)),
    ],
  };
}

async function tagOf(course: Course): Promise<string> {
  const input = { name: `tag ${course.number}` };
  const tag = await course.make(
    'mutation($input: CreateTagInput!) { createTag(input: $input) { id } }',
    {
      input,
    },
  );
  return tag.id;
}
