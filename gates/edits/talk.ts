// Races about questions: votes, reactions, and which reply is the answer.

import { atOnce, type Course, differs, type Race } from './race.ts';

const ask = 'mutation($input: CreateQuestionInput!) { createQuestion(input: $input) { id } }';
const reply = 'mutation($input: CreateReplyInput!) { createReply(input: $input) { id } }';

const question = async (course: Course): Promise<string> =>
  (await course.make(ask, { input: { title: `Question ${course.number}` } })).id;

/** Everybody votes, and some change their minds, at once. */
export const votes: Race = async (course) => {
  const id = await question(course);
  const cast = new Map<string, number>();
  for (const values of [
    [1, -1],
    [-1, 0, 1],
  ]) {
    await atOnce(course, course.people, async (person) => {
      const value = values[course.random.whole(0, values.length - 1)] ?? 1;
      const mutation = 'mutation($id: ID!, $value: Int!) { vote(id: $id, value: $value) { id } }';
      if (course.count(await person.graphql(mutation, { id, value }))) cast.set(person.id, value);
    });
  }
  const sum = [...cast.values()].reduce((total, value) => total + value, 0);
  return {
    check: async () => {
      const query = 'query($id: ID!) { resource(id: $id) { ... on Question { votesSum } } }';
      return differs('the sum of votes', (await course.make(query, { id })).votesSum, sum);
    },
  };
};

const emojis = ['👍', '🎉', '👀'];

/** Everybody reacts with an emoji of their own, and somebody takes it back. */
export const reactions: Race = async (course) => {
  const id = await question(course);
  const mutation = `mutation($id: ID!, $emoji: String!, $on: Boolean!) {
    react(id: $id, emoji: $emoji, on: $on) { id } }`;
  const shown = new Set<string>();
  const react = (on: boolean, number: number) =>
    atOnce(course, course.people.slice(0, number), async (person, _, at) => {
      const emoji = emojis[at] ?? '👍';
      if (!course.count(await person.graphql(mutation, { id, emoji, on }))) return;
      if (on) shown.add(emoji);
      else shown.delete(emoji);
    });
  await react(true, course.people.length);
  await react(false, course.random.whole(0, course.people.length));
  return {
    check: async () => {
      const query = 'query($id: ID!) { resource(id: $id) { ... on Question { reactions } } }';
      return differs('the reactions', (await course.make(query, { id })).reactions, [...shown]);
    },
  };
};

/**
 * Several replies are accepted at once; then the first is taken back while the others are accepted again. Whatever the
 * order, the last of those is the answer, and no other.
 */
export const acceptances: Race = async (course) => {
  const parentId = await question(course);
  const ids: string[] = [];
  for (const at of course.people.keys()) {
    const input = { parentId, definition: `answer ${at}` };
    ids.push((await course.make(reply, { input })).id);
  }
  const update =
    'mutation($id: ID!, $input: UpdateReplyInput!) { updateReply(id: $id, input: $input) { id } }';
  await atOnce(course, ids, async (person, id) => {
    course.count(await person.graphql(update, { id, input: { acceptedAnswer: true } }));
  });
  await atOnce(course, ids, async (person, id, at) => {
    const input = { acceptedAnswer: at !== 0 };
    course.count(await person.graphql(update, { id, input }));
  });
  return { check: () => wrongAnswer(course, parentId, ids.slice(1)) };
};

async function wrongAnswer(
  course: Course,
  id: string,
  mayBe: readonly string[],
): Promise<string[]> {
  const found = await course.make(
    `query($id: ID!) { resource(id: $id) { ... on Question { status answer
      replies { id definition acceptedAnswer } } } }`,
    { id },
  );
  const accepted: { id: string; definition: string }[] = found.replies.filter(
    (one: { acceptedAnswer: boolean }) => one.acceptedAnswer,
  );
  return [
    ...differs('how many answers are accepted', accepted.length, 1),
    ...accepted
      .filter((one) => !mayBe.includes(one.id))
      .map(({ definition }) => `${definition} was taken back and is accepted`),
    ...differs('the answer', found.answer, accepted[0]?.definition ?? null),
    ...differs('the status', found.status, 'Answered'),
  ];
}
