// What is asked of each server: the same question, in the words of each.

import { z } from 'zod';

/** A request. */
export interface Asked {
  readonly path: string;
  readonly body?: string;
}

/** What requests are made of; `n` is another number for each. */
export interface Material {
  readonly workspace: string;
  /** Ids of tables of all layers. */
  readonly tables: readonly string[];
  /** Ids of tables of the first layer, which most others come from. */
  readonly sources: readonly string[];
  /** Where pages of a list begin: the last row of the page before, and our cursor of it. */
  readonly starts: readonly { created: string; id: string; ours: string }[];
  /** PostGraphile's own cursors of the same places. */
  readonly theirs: string[];
}

/** A read that is measured. */
export interface Read {
  readonly name: string;
  /** Requests of one round: many where one costs little, since CPU time is counted in ticks of 10 ms. */
  readonly requests: number;
  readonly ours: (n: number, material: Material) => Asked;
  readonly postgraphile?: (n: number, material: Material) => Asked;
  readonly fastify?: (n: number, material: Material) => Asked;
  /** What is asked next where an answer of ours was not the whole, which is counted as one request; null where it was. */
  readonly goOn?: (asked: Asked, answer: string) => Asked | null;
  /** Whether the catalog is written to between the requests, one time in fifty. */
  readonly withWrites?: boolean;
}

const at = <T>(list: readonly T[], n: number): T => {
  const found = list[n % list.length];
  if (found === undefined) throw new Error('There is nothing to ask for.');
  return found;
};
const graphql = (query: string, variables: object = {}): Asked => ({
  path: '/graphql',
  body: JSON.stringify({ query, variables }),
});
const rest = (path: string): Asked => ({ path: `/api/v1/table/tables${path}` });
const page = (n: number) => 1 + (n % 10);

const downstream = (inner: string): string => `downstream { id title ${inner} }`;
const theirDownstream = (inner: string): string =>
  `lineageEdgesByWorkspaceIdAndSourceIdList(condition: { validTo: null, level: "TABLE" }) {
    resourceByWorkspaceIdAndTargetId { rowId title ${inner} } }`;
const scalars = `id title titleFull kind description createdAt updatedAt published verified
  externalUsage nativeType`;

const newest = (n: number, { starts }: Material): Asked =>
  graphql(
    `query ($after: String) { resources(kinds: [table], first: 100, after: $after) { nodes {
      ${scalars} owners { id email } tags { id name } } } }`,
    { after: at(starts, n).ours },
  );

/** A page of the list as PostGraphile reads it; `null` begins at the start. */
export const theirList = (workspace: string, after: string | null, fields: string): Asked =>
  graphql(
    `query ($after: Cursor, $workspace: UUID!) { allResources(first: 100, after: $after, orderBy: [CREATED_AT_DESC, ROW_ID_DESC],
      condition: { workspaceId: $workspace, kind: "table", archived: false }) { ${fields} } }`,
    { after, workspace },
  );

/** Lists that must not cost more in a larger catalog: by name, the arguments of GraphQL. */
const sorted: Readonly<Record<string, string>> = {
  'sort created_at': 'kinds: [table], first: 100, sort: [{ field: "created_at", order: desc }]',
  'sort updated_at': 'kinds: [table], first: 100, sort: [{ field: "updated_at", order: desc }]',
  'sort title': 'kinds: [table], first: 100, sort: [{ field: "title", order: asc }]',
  'newest of all kinds': 'first: 100',
  'order used': 'kinds: [table], first: 100, sort: [{ field: "external_usage", order: desc }]',
};

const lists: readonly Read[] = Object.entries(sorted).map(([name, args]) => ({
  name,
  requests: 20,
  ours: (n) => graphql(`query L${n % 7} { resources(${args}) { nodes { id title } } }`),
}));

/** Nodes of lineage on a page at most. */
const largestPage = 10_000;
const closure = `query ($id: ID!, $after: ID) { lineage(from: [$id], direction: DOWNSTREAM, depth: 100,
  maxNodes: ${largestPage}, after: $after) { totalNodes nodes { resource { id } } } }`;
const askedOfClosure = z.object({ variables: z.object({ id: z.string() }) });
const answerOfClosure = z.object({
  data: z.object({
    lineage: z.object({ nodes: z.array(z.object({ resource: z.object({ id: z.string() }) })) }),
  }),
});

/** All reads, in the order of the table. */
export const reads: readonly Read[] = [
  {
    name: 'lineage of 3 hops',
    requests: 200,
    withWrites: true,
    ours: (n, { tables }) =>
      graphql(
        `query ($id: ID!) { lineage(from: [$id], depth: 3) {
          nodes { depth resource { id title kind } } edges { id sourceId targetId } } }`,
        { id: at(tables, n) },
      ),
    postgraphile: (n, { tables }) =>
      graphql(
        `query ($id: UUID!) { benchLineage(start: $id, depth: 3) {
          nodes { depth rowId title kind } edges { rowId sourceId targetId } } }`,
        { id: at(tables, n) },
      ),
    fastify: (n, { tables }) => ({ path: `/lineage/${at(tables, n)}` }),
  },
  {
    name: 'nested downstream x 3',
    requests: 200,
    withWrites: true,
    ours: (n, { tables }) =>
      graphql(
        `query ($id: ID!) { resource(id: $id) { id title
          ${downstream(downstream(downstream('')))} } }`,
        { id: at(tables, n) },
      ),
    postgraphile: (n, { tables, workspace }) =>
      graphql(
        `query ($id: UUID!, $workspace: UUID!) {
          resourceByWorkspaceIdAndRowId(rowId: $id, workspaceId: $workspace) { rowId title
            ${theirDownstream(theirDownstream(theirDownstream('')))} } }`,
        { id: at(tables, n), workspace },
      ),
  },
  {
    name: 'GraphQL list of 100',
    requests: 160,
    withWrites: true,
    ours: newest,
    postgraphile: (n, { theirs, workspace }) =>
      theirList(
        workspace,
        at(theirs, n),
        `nodes { ${scalars.replace('id', 'rowId')}
          benchOwnersList { rowId email } benchTagsList { rowId name } }`,
      ),
    fastify: (n, { starts }) => {
      const { created, id } = at(starts, n);
      return { path: `/list?before=${encodeURIComponent(created)}&id=${id}` };
    },
  },
  {
    name: 'REST list of 100, with count',
    requests: 100,
    withWrites: true,
    ours: (n) => rest(`?page=${page(n)}&page_size=100`),
    fastify: (n) => ({ path: `/records?page=${page(n)}&count` }),
  },
  {
    name: 'REST list of 100, against one without count',
    requests: 100,
    withWrites: true,
    ours: (n) => rest(`?page=${page(n)}&page_size=100`),
    fastify: (n) => ({ path: `/records?page=${page(n)}` }),
  },
  {
    name: 'REST one table',
    requests: 1_500,
    withWrites: true,
    ours: (n, { tables }) => rest(`/${at(tables, n)}`),
    fastify: (n, { tables }) => ({ path: `/record/${at(tables, n)}` }),
  },
  {
    name: '{ __typename }',
    requests: 4_000,
    ours: () => graphql('{ __typename }'),
    postgraphile: () => graphql('{ __typename }'),
    fastify: () => ({ path: '/trivial' }),
  },
  {
    name: 'whole closure downstream, ids only',
    requests: 8,
    withWrites: true,
    ours: (n, { sources }) => graphql(closure, { id: at(sources, n), after: null }),
    goOn: ({ body = '' }, answer) => {
      const { nodes } = answerOfClosure.parse(JSON.parse(answer)).data.lineage;
      const last = nodes.length < largestPage ? undefined : nodes.at(-1);
      if (!last) return null;
      const { id } = askedOfClosure.parse(JSON.parse(body)).variables;
      return graphql(closure, { id, after: last.resource.id });
    },
  },
  ...lists,
];
