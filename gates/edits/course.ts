// Race course: a server's people, the tables of an integration, and its imports.

import { type Random, randomFrom } from '../../test/trials/random.ts';
import { type Client, clientOf, type Outcome } from './client.ts';
import { type Course, type Person, some } from './race.ts';

/** A server with all that races need. */
export interface Grounds {
  /** The course of one race, which its number and the seed decide. */
  course(number: number, seed: number, tally: Tally): Course;
  /** Import all tables again, each with other words than before. */
  importAgain(): Promise<Outcome>;
}

/** What came of the deeds of races. */
export interface Tally {
  acknowledged: number;
  refused: number;
  /** Deeds that failed, though nothing allowed it. */
  readonly failures: string[];
}

const people = 6;

/** Make people, an integration and as many tables as there are races, twice over. */
export async function openGrounds(address: string, key: string, tables: number): Promise<Grounds> {
  const admin = clientOf(address, key);
  const everybody = await Promise.all(
    Array.from({ length: people }, (_, at) => personOf(address, admin, at)),
  );
  const { id: integration } = await done(
    admin.graphql(
      'mutation($input: CreateIntegrationInput!) { createIntegration(input: $input) { id } }',
      {
        input: { name: 'Source of the races' },
      },
    ),
  );
  let imports = 0;
  const importAgain = () => {
    imports += 1;
    const resources = Array.from({ length: tables }, (_, n) =>
      JSON.stringify({
        ...{ entity_type: 'table', databuilder_id: `t${n}`, title: `table ${n}` },
        ...{ description: `source ${imports}`, definition: `source ${imports}` },
        ...{ native_type: `type ${imports}`, tags: ['imported'], external_usage: imports },
      }),
    ).join('\n');
    const mutation = `mutation($integration: ID!, $resources: String!) {
      importJsonl(integrationId: $integration, resources: $resources) { updated } }`;
    return admin.graphql(mutation, { integration, resources });
  };
  await done(importAgain());
  const ids = await tablesOf(admin, integration);
  let taken = 0;
  return {
    importAgain,
    course(number, seed, tally) {
      const random = randomFrom(seed * 1_000_003 + number);
      const course: Course = {
        ...{ random, number, admin },
        people: pick(everybody, random),
        async table() {
          const id = ids[taken];
          taken += 1;
          if (!id) throw new Error('There are more races than tables.');
          return id;
        },
        make: (query, variables) => done(admin.graphql(query, variables)),
        count: (outcome, mayBe = []) => count(tally, outcome, mayBe),
      };
      return course;
    },
  };
}

/** Two or three of them. */
function pick(everybody: readonly Person[], random: Random): Person[] {
  return some({ random }, everybody, random.whole(2, 3));
}

function count(tally: Tally, outcome: Outcome, mayBe: readonly string[]): Outcome | null {
  const { refusal, message } = outcome;
  if (refusal === null) {
    tally.acknowledged += 1;
    return outcome;
  }
  if (mayBe.includes(refusal)) tally.refused += 1;
  else tally.failures.push(`${refusal}: ${message}`);
  return null;
}

// What an operation answers is known only to who asks.
// biome-ignore lint/suspicious/noExplicitAny: races read into answers of any shape.
async function done(asking: Promise<Outcome>): Promise<any> {
  const { data, refusal, message } = await asking;
  if (refusal !== null) throw new Error(`${refusal}: ${message}`);
  return data;
}

async function personOf(address: string, admin: Client, at: number): Promise<Person> {
  const user = await done(
    admin.graphql('mutation($input: CreateUserInput!) { createUser(input: $input) { id } }', {
      input: { email: `editor${at}@races.example`, firstName: `Editor ${at}`, role: 'editor' },
    }),
  );
  const made = await done(
    admin.graphql(
      'mutation($id: ID!) { createApiKey(input: { name: "races", userId: $id, scopes: [ADMIN] }) { key } }',
      {
        id: user.id,
      },
    ),
  );
  // Deleting a team, which some races do, is for admins.
  await done(
    admin.graphql('mutation($id: ID!) { updateUser(id: $id, input: { role: admin }) { id } }', {
      id: user.id,
    }),
  );
  return { ...clientOf(address, made.key), id: user.id };
}

async function tablesOf(admin: Client, integrationId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = null; ; ) {
    const page: { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } =
      await done(
        admin.graphql(
          `query($filter: ResourceFilter, $after: String) {
            resources(filter: $filter, first: 100, after: $after) {
              nodes { id } pageInfo { hasNextPage endCursor } } }`,
          {
            filter: { operator: 'exact', field: 'integration_id', value: integrationId },
            after,
          },
        ),
      );
    ids.push(...page.nodes.map(({ id }) => id));
    if (!page.pageInfo.hasNextPage) return ids;
    after = page.pageInfo.endCursor;
  }
}
