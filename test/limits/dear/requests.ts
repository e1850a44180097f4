// Requests that once occupied the server, each within what the limits let one key of a viewer send.

import { spreading } from '../../lineage/spreading.ts';

/** A request of a client. */
export interface DearRequest {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** Whether it comes without a key. */
  readonly isAnonymous?: boolean;
  /** What has to come of it at least once; either will do for those without it. */
  readonly becomes?: 'answered' | 'refused';
}

/** Points of a series, as many as are taken, in a body of less than a megabyte. */
const points = 20_000;
/** The same series under so many names. */
const aliases = 100;

/** What requests may name. */
export interface Named {
  /** A table with much lineage. */
  readonly table: string;
  /** A schema with many tables, of which there is much to say. */
  readonly schema: string;
}

export function dearRequests({ table, schema }: Named): DearRequest[] {
  const refused = { becomes: 'refused' } as const;
  const answered = { becomes: 'answered' } as const;
  return [
    {
      ...graphql('backtests of one series under 100 aliases', backtests(aliases), {
        s: series(points),
      }),
      ...refused,
    },
    graphql('backtests of one series under 10 aliases', backtests(10), { s: series(8_000) }),
    {
      ...graphql('the longest backtest that is taken', backtests(1), { s: series(points) }),
      ...answered,
    },
    { ...graphql('children of parents, six levels', nested(1_000, 6)), ...refused },
    { ...graphql('children of parents, as many as are taken', nested(60, 2)), ...answered },
    { ...graphql('children by a variable', nestedByVariable, { n: 1_000 }), ...refused },
    graphql('hostile SQL', sqlQuery, { q: hostileSql(2_000) }),
    {
      ...graphql('columns through tables that a text makes', sqlQuery, { q: spreading(3, 90) }),
      ...refused,
    },
    { ...graphql('the whole lineage', lineage, { from: [table] }), ...answered },
    { ...graphql('introspection', introspection), ...answered },
    { ...graphql('introspection without a key', introspection), ...answered, isAnonymous: true },
    {
      ...graphql('deep introspection without a key', deepIntrospection),
      ...{ ...answered, isAnonymous: true },
    },
    graphql('wide filters under 30 aliases', wideFilters),
    // As long as a search may be.
    {
      ...graphql('typing errors in a search', search, { q: 'custmoer ordr invioce '.repeat(9) }),
      ...answered,
    },
    {
      ...graphql('one long text under 98 aliases', repeatedText, { id: schema }),
      ...refused,
    },
    {
      ...graphql('a long cursor of each parent', cursors, { c: 'c'.repeat(900_000) }),
      ...refused,
    },
    {
      ...graphql('conditions without content', conditions, {
        where: { or: Array.from({ length: 60_000 }, () => ({})) },
      }),
      ...refused,
    },
    {
      ...graphql('ids that name nothing', createQuestion, { ids: unknownIds(60_000) }),
      ...refused,
    },
    {
      ...graphql('fragments within fragments', spreads(900)),
      ...{ ...refused, isAnonymous: true },
    },
    {
      ...{ name: 'REST, the largest page', method: 'GET' },
      ...{ path: '/api/v1/resource/catalog?page_size=1000', ...answered },
    },
  ];
}

function graphql(name: string, query: string, variables: object = {}): DearRequest {
  return { name, method: 'POST', path: '/graphql', body: JSON.stringify({ query, variables }) };
}

function series(count: number): object[] {
  return Array.from({ length: count }, (_, n) => ({
    at: new Date(Date.UTC(2024, 0, 1, n)).toISOString(),
    value: (n * 37) % 101,
  }));
}

function backtests(count: number): string {
  const one = 'backtestThresholds(series: $s, metricType: row_count) { incidents }';
  const all = Array.from({ length: count }, (_, n) => `b${n}: ${one}`);
  return `query ($s: [SeriesPointInput!]!) { ${all.join(' ')} }`;
}

function nested(first: number, levels: number): string {
  const within = (level: number): string =>
    level === 0
      ? 'id title'
      : `parent { children(first: ${first}) { nodes { ${within(level - 1)} } } }`;
  return `{ resources(first: ${first}) { nodes { ${within(levels)} } } }`;
}

const nestedByVariable = `query ($n: Int!) { resources(first: $n) { nodes { parent {
  children(first: $n) { nodes { parent { children(first: $n) { nodes { id } } } } } } } } }`;

const sqlQuery = `query ($q: String!) { lineageFromQuery(sql: $q, dialect: "postgres") {
  statements { kind } } }`;

function hostileSql(joins: number): string {
  const tables = Array.from({ length: joins }, (_, n) => `join t${n} on t${n}.id = t${n + 1}.id`);
  return `select * from t ${tables.join(' ')}`;
}

const repeatedText = `query ($id: ID!) { resource(id: $id) { children(first: 100) { nodes { parent { ${Array.from(
  { length: 98 },
  (_, n) => `a${n}: description`,
).join(' ')} } } } } }`;

const cursors = `query ($c: String) { resources(first: 1000) { nodes {
  children(first: 1, after: $c) { pageInfo { hasNextPage } } } } }`;

const conditions = `query ($where: ResourceWhere) {
  resources(first: 1, where: $where) { nodes { id } } }`;

const createQuestion = `mutation ($ids: [ID!]) {
  createQuestion(input: { title: "Why", tagIds: $ids }) { id } }`;

function unknownIds(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `nothing ${n}`);
}

/** Fields that spread a fragment which spreads another one many times, on each of thousands of objects. */
function spreads(count: number): string {
  const inner = (n: number) =>
    Array.from('abcdefghi', (name) => `${name}: parent { ...X${n + 1} }`).join(' ');
  const levels = [0, 1, 2, 3].map((n) => `fragment X${n} on Resource { ...L ${inner(n)} }`);
  return `{ resource(id: "00000000-0000-4000-8000-000000000000") { ...X0 } } ${levels.join(' ')}
    fragment X4 on Resource { ...L } fragment C on Resource { __typename }
    fragment L on Resource { ${'... { ...C } '.repeat(count)} }`;
}

const lineage = `query ($from: [ID!]!) { lineage(from: $from, direction: BOTH, depth: 100, maxNodes: 10000) {
  nodes { depth resource { id kind title titleFull } } edges { sourceId targetId } } }`;

const introspection = `{ __schema { types { name description fields { name description type { name kind
  ofType { name kind ofType { name } } } args { name description type { name } } } inputFields { name } } } }`;

const search = `query ($q: String!) { search(query: $q, first: 1000) { totalCount
  nodes { resource { id title } } } }`;

const typeOfField = 'fields { name description type { name } }';
const deepIntrospection = `{ __schema { types { fields { type { ${typeOfField} ofType { ${typeOfField} } } } } } }`;

const contains = Array.from(
  { length: 8 },
  (_, n) => `{ operator: contains, field: "definition", value: "nothing ${n}" }`,
);
const wideFilters = `{ ${Array.from(
  { length: 30 },
  (
    _,
    n,
  ) => `f${n}: resources(first: 1, filter: { operator: or, operands: [${contains.join(' ')}] }) {
    totalCount nodes { id } }`,
).join(' ')} }`;
