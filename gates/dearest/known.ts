// In charge of requests that once occupied the server, each of one key of a viewer.

/** Something that a client sends. */
export interface Request {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** Whether it comes without a key. */
  readonly isAnonymous?: boolean;
}

/** Points of a series in a body of less than a megabyte. */
const points = 14_000;
/** The same series under so many names. */
const aliases = 100;

/** All of them; `tableId` is of a table with much lineage. */
export function knownRequests(tableId: string): Request[] {
  return [
    graphql('backtests of one series under 100 aliases', backtests(aliases), {
      s: series(points),
    }),
    graphql('backtests of one series under 10 aliases', backtests(10), { s: series(8_000) }),
    graphql('the longest backtest that is taken', backtests(1), { s: series(points) }),
    graphql('children of parents, six levels', nested(1_000, 6)),
    graphql('children of parents, as many as are taken', nested(60, 2)),
    graphql('children by a variable', nestedByVariable, { n: 1_000 }),
    graphql('hostile SQL', sqlQuery, { q: hostileSql(2_000) }),
    graphql('the whole lineage', lineage, { from: [tableId] }),
    graphql('introspection', introspection),
    { ...graphql('introspection without a key', introspection), isAnonymous: true },
    { ...graphql('deep introspection without a key', deepIntrospection), isAnonymous: true },
    graphql('wide filters under 30 aliases', wideFilters),
    // As long as a search may be.
    graphql('typing errors in a search', search, { q: 'custmoer ordr invioce '.repeat(9) }),
    {
      name: 'REST, the largest page',
      method: 'GET',
      path: '/api/v1/resource/catalog?page_size=1000',
    },
  ];
}

function graphql(name: string, query: string, variables: object = {}): Request {
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
