// Races about where resources lie: moves, renaming, deletion and restoring.

import { atOnce, type Course, differs, type Race } from './race.ts';

const create = `mutation($kind: ResourceKind!, $input: CreateResourceInput!) {
  createResource(kind: $kind, input: $input) { id } }`;
const update = `mutation($id: ID!, $input: UpdateResourceInput!) {
  updateResource(id: $id, input: $input) { id parentId titleFull version } }`;
const record = `query($id: ID!) { resource(id: $id) {
  title titleFull parentId archived description version parent { id titleFull archived } } }`;

async function made(course: Course, kind: string, title: string, parentId?: string) {
  const input = { title: `${title} ${course.number}`, parentId };
  const { id } = await course.make(create, { kind, input });
  return String(id);
}

/** Documents are moved into what lies below each other: no circle comes of it. */
export const moves: Race = async (course) => {
  const trees = await Promise.all(
    course.people.map(async (_, at) => {
      const top = await made(course, 'document', `top ${at}`);
      const below = await made(course, 'document', `below ${at}`, top);
      return { top, below };
    }),
  );
  const acknowledged = await atOnce(course, trees, async (person, { top }, at) => {
    const parentId = trees[(at + 1) % trees.length]?.below;
    const answer = await person.graphql(update, { id: top, input: { parentId } });
    return course.count(answer, ['BAD_REQUEST']) ? [{ top, parentId }] : [];
  });
  const moved = acknowledged.flat();
  return {
    check: async () => [
      ...(moved.length === trees.length ? ['all of them were moved, in a circle'] : []),
      ...(moved.length < trees.length - 1 ? ['more moves were refused than had to be'] : []),
      ...(
        await Promise.all(
          moved.map(async ({ top, parentId }) => {
            const found = await course.make(record, { id: top });
            return differs('the parent', found.parentId, parentId);
          }),
        )
      ).flat(),
    ],
  };
};

/** A table and all it lies in are renamed, and moved, at once: their titles agree. */
export const titles: Race = async (course) => {
  const [one, other] = [await made(course, 'schema', 'one'), await made(course, 'schema', 'other')];
  const table = await made(course, 'table', 'table', one);
  const column = await made(course, 'column', 'column', table);
  const inputs = [
    { id: one, input: { title: `renamed ${course.number}` } },
    { id: table, input: { parentId: other } },
    { id: table, input: { title: `table again ${course.number}` } },
  ];
  const done = await atOnce(course, inputs.slice(0, course.people.length), async (person, deed) =>
    course.count(await person.graphql(update, deed)) ? [deed] : [],
  );
  return {
    check: async () => {
      const wrong: string[] = [];
      for (const id of [one, other, table, column]) {
        const found = await course.make(record, { id });
        const above = found.parent ? `${found.parent.titleFull}.` : '';
        wrong.push(...differs('a full title', found.titleFull, above + found.title));
      }
      for (const { id, input } of done.flat()) {
        const found = await course.make(record, { id });
        for (const [name, value] of Object.entries(input)) {
          wrong.push(...differs(name, found[name], value));
        }
      }
      return wrong;
    },
  };
};

/** Something is deleted while it is edited and something is put into it; then it is restored. */
export const deletions: Race = async (course) => {
  const table = await made(course, 'table', 'deleted');
  const inside = await made(course, 'column', 'inside', table);
  const archive = 'mutation($id: ID!) { archiveResource(id: $id) { id } }';
  const restore = 'mutation($id: ID!) { restoreResource(id: $id) { id } }';
  const added: string[] = [];
  const description = `edited ${course.number}`;
  let isEdited = false;
  const deeds = [
    (person: Course['admin']) => person.graphql(archive, { id: table }),
    async (person: Course['admin']) => {
      const input = { title: `added ${course.number}`, parentId: table };
      const answer = await person.graphql(create, { kind: 'column', input });
      if (!answer.refusal) added.push(answer.data.id);
      return answer;
    },
    async (person: Course['admin']) => {
      const answer = await person.graphql(update, { id: table, input: { description } });
      isEdited = !answer.refusal;
      return answer;
    },
  ];
  await atOnce(course, deeds.slice(0, course.people.length), async (person, deed) => {
    course.count(await deed(person), ['NOT_FOUND', 'BAD_REQUEST']);
  });
  const states = await Promise.all(
    [table, inside, ...added].map((id) => course.make(record, { id })),
  );
  const alive = states.filter(({ archived }) => !archived).length;
  course.count(await course.admin.graphql(restore, { id: table }));
  return {
    check: async () => {
      const found = await course.make(record, { id: table });
      return [
        ...differs('what is left of what was deleted', alive, 0),
        ...differs('whether it is deleted', found.archived, false),
        ...(isEdited ? differs('its description', found.description, description) : []),
      ];
    },
  };
};
