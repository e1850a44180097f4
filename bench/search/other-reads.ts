// What else the bench of search and lists asks: the tree of the catalog over REST and GraphQL, its audit log, its lineage.

import type { Asked } from '../requests/reads.ts';
import type { Question } from './questions.ts';

const graphql = (query: string, variables: object = {}): Asked => ({
  path: '/graphql',
  body: JSON.stringify({ query, variables }),
});
const rest = (path: string): Asked => ({ path: `/api/v1${path}` });

const at = <T>(list: readonly T[], n: number): T => {
  const found = list[n % list.length];
  if (found === undefined) throw new Error('There is nothing to ask for.');
  return found;
};

/** Each read may cost so much more in the largest catalog than in the least. */
const bar = { growth: 1.5 } as const;

/** The tree: what lies in what, how much, and all of it in an order. */
const tree: readonly Question[] = [
  {
    name: 'tree: a schema and what it holds',
    ask: (n, { schemas }) =>
      graphql(
        `query ($id: ID!) { resource(id: $id) {
          id title childrenCount children(first: 50) { nodes { id title kind } } } }`,
        { id: at(schemas, n) },
      ),
    bar,
  },
  {
    name: 'tree: a table with all its names',
    ask: (n, { tables }) =>
      graphql(
        `query ($id: ID!) { resource(id: $id) {
          id titleFull parent { id title parent { id title } } childrenCount } }`,
        { id: at(tables, n) },
      ),
    bar,
  },
  {
    name: 'tree: databases, schemas and how much they hold',
    ask: () =>
      graphql('{ resources(kinds: [schema], first: 5) { nodes { id title childrenCount } } }'),
    bar,
  },
  { name: 'tree: catalog over REST', ask: () => rest('/resource/catalog'), bar },
  {
    name: 'tree: one table over REST',
    ask: (n, { tables }) => rest(`/table/tables/${at(tables, n)}`),
    bar,
  },
];

const auditing = (name: string, args: string | ((n: number) => string)): Question => ({
  name: `audit: ${name}`,
  ask: (n) =>
    graphql(
      `{ auditLogs(${typeof args === 'string' ? args : args(n)}) {
        nodes { id activityType loggedAt performerId resourceId } } }`,
    ),
  bar,
});

/** The audit log: its pages, and what it is filtered by. */
const audit: readonly Question[] = [
  auditing('newest', 'first: 50'),
  auditing('oldest', 'first: 50, orderBy: [{ sequence: asc }]'),
  auditing('of one activity', 'first: 50, where: { activityType: { eq: table_created } }'),
  auditing('of a rare activity', 'first: 50, where: { activityType: { eq: tag_created } }'),
  {
    name: 'audit: of one table',
    ask: (n, { tables }) =>
      graphql(
        `query ($id: ID!) { auditLogs(first: 50, where: { resourceId: { eq: $id } }) {
          nodes { id activityType loggedAt } } }`,
        { id: at(tables, n) },
      ),
    bar,
  },
  {
    name: 'audit: of one person',
    ask: (_n, { owner }) =>
      graphql(
        `query ($id: ID!) { auditLogs(first: 50, where: { performerId: { eq: $id } }) {
          nodes { id activityType loggedAt } } }`,
        { id: owner },
      ),
    bar,
  },
  {
    name: 'audit: after a cursor in the middle',
    ask: (_n, { middleOfLog }) =>
      graphql(
        `query ($after: String) { auditLogs(first: 50, after: $after) {
          nodes { id activityType loggedAt } } }`,
        { after: middleOfLog },
      ),
    bar,
  },
];

const walking = (
  name: string,
  args: string,
  fields: string,
  limit?: Question['bar'],
): Question => ({
  name: `lineage: ${name}`,
  ask: (n, { middle }) =>
    graphql(`query ($id: ID!) { lineage(from: [$id], ${args}) { ${fields} } }`, {
      id: at(middle, n),
    }),
  ...(limit ? { bar: limit } : {}),
});

const picture = 'nodes { depth resource { id title kind } } edges { id sourceId targetId }';

/** Lineage: from memory, from the database as it was at a time, and all that follows from a table. */
const lineage: readonly Question[] = [
  walking('3 hops, from memory', 'depth: 3', picture, bar),
  walking('3 hops, from the database', 'depth: 3, asOf: "2999-01-01T00:00:00Z"', picture, bar),
  walking(
    'all downstream, counted',
    'direction: DOWNSTREAM, depth: 100, maxNodes: 1',
    'totalNodes',
  ),
  walking(
    'all downstream, 10,000 ids',
    'direction: DOWNSTREAM, depth: 100, maxNodes: 10000',
    'totalNodes nodes { depth }',
  ),
  {
    name: 'lineage: first hops of 50 tables',
    ask: () =>
      graphql(
        '{ resources(kinds: [table], first: 50) { nodes { id upstream { id } downstream { id } } } }',
      ),
    bar,
  },
];

/** All of these reads, in the order of the table. */
export const otherReads: readonly Question[] = [...tree, ...audit, ...lineage];
