// What the bench of search and lists asks: ten kinds of searches, and the orders, filters, pages and counts of lists.

import type pg from 'pg';
import type { Asked } from '../requests/reads.ts';

/** What is asked for, taken from the catalog itself. */
export interface Material {
  /** Titles that one resource has. */
  readonly titles: readonly string[];
  /** Words of very many titles, of some, and of a few. */
  readonly common: readonly string[];
  readonly seldom: readonly string[];
  readonly rare: readonly string[];
  /** Ids of tags by their names. */
  readonly tags: Readonly<Record<string, string>>;
  readonly owner: string;
  readonly integration: string;
  readonly schemas: readonly string[];
  readonly tables: readonly string[];
  /** Tables with lineage on both sides. */
  readonly middle: readonly string[];
  /** Where the list of the newest entries of the audit log goes on from its middle. */
  readonly middleOfLog: string;
}

/** A read; `n` is another number for each request. */
export interface Question {
  readonly name: string;
  readonly ask: (n: number, material: Material) => Asked;
  /** How much more than in the least catalog it may cost in the largest; or than the read of a name in the same one. */
  readonly bar?: { readonly growth: number } | { readonly than: string; readonly ratio: number };
}

const sampled = 40;

/** Take what is asked for from the catalog. */
export async function readMaterial(client: pg.Client): Promise<Material> {
  const column = async (sql: string): Promise<string[]> => {
    const { rows } = await client.query<{ value: string }>(sql);
    return rows.map(({ value }) => value);
  };
  const words = (least: number, most: number) =>
    column(`with words as (select unnest(string_to_array(title, '_')) as value from resource where kind <> 'schema')
      select value from (select value, cume_dist() over (order by n desc, value) as place
        from (select value, count(*) as n from words where value ~ '^[a-z]{5,}$' group by 1) w) w
      where place between ${least} and ${most} order by md5(value) limit ${sampled}`);
  const { rows: tags } = await client.query<{ name: string; id: string }>(
    'select name, id from tag',
  );
  return {
    titles: await column(
      `select title as value from resource where title ~ '^[a-z]+_[a-z]+_[0-9]+$' order by md5(title) limit ${sampled}`,
    ),
    common: ['order', 'customer', 'item', 'payment', 'session'],
    seldom: await words(0.05, 0.2),
    rare: await words(0.9, 1),
    tags: Object.fromEntries(tags.map(({ name, id }) => [name, id])),
    owner: (await column('select id as value from user_account limit 1'))[0] ?? '',
    integration: (await column('select id as value from integration limit 1'))[0] ?? '',
    schemas: await column(
      `select id as value from resource where kind = 'schema' order by md5(id::text) limit ${sampled}`,
    ),
    tables: await column(
      `select id as value from resource where kind = 'table' order by md5(id::text) limit ${sampled}`,
    ),
    middle: await column(
      `select id as value from resource r where kind = 'table'
        and exists (select from lineage_edge e where e.source_id = r.id)
        and exists (select from lineage_edge e where e.target_id = r.id) order by md5(id::text) limit ${sampled}`,
    ),
    middleOfLog: Buffer.from(
      JSON.stringify(
        await column(
          `select unnest(array[logged_at::text, id::text]) as value from (
            select logged_at, id from audit_log order by logged_at desc, id desc
            offset (select count(*) / 2 from audit_log) limit 1) m`,
        ),
      ),
    ).toString('base64url'),
  };
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

function searching(
  name: string,
  query: (n: number, material: Material) => string,
  narrowing: (material: Material) => object = () => ({}),
  fields = '',
): Question {
  return {
    name: `search: ${name}`,
    ask: (n, material) =>
      graphql(
        `query ($query: String!, $kinds: [ResourceKind!], $tagIds: [ID!]) {
          search(query: $query, kinds: $kinds, tagIds: $tagIds, first: 20) {
            totalCount isCapped nodes { score resource { id title kind } } ${fields} } }`,
        { query: query(n, material), ...narrowing(material) },
      ),
  };
}

/** A word with two of its letters in each other's place. */
const mistyped = (word: string) => word.replace(/^(..)(.)(.)/, '$1$3$2');
const common = (n: number, { common: words }: Material) => at(words, n);

/** Fourteen kinds of searches. */
export const searches: readonly Question[] = [
  searching('an exact title', (n, { titles }) => at(titles, n)),
  searching('how titles begin', (n, { seldom }) => at(seldom, n).slice(0, 4)),
  searching('two letters', (n, { seldom }) => at(seldom, n).slice(0, 2)),
  searching('a common word', common),
  searching('two words', (n, material) => `${common(n, material)} ${at(material.seldom, n)}`),
  searching('a rare word', (n, { rare }) => at(rare, n)),
  searching('a typo', (n, { seldom }) => mistyped(at(seldom, n))),
  searching('a common word, of a kind', common, () => ({ kinds: ['dashboard'] })),
  searching('a common word, with a tag', common, ({ tags }) => ({ tagIds: [tags.medium] })),
  searching(
    'a common word, facets',
    common,
    undefined,
    'facets { kind { value count } tag { value count } }',
  ),
  searching(
    'a table and a column',
    (n, { titles, seldom }) => `${at(titles, n).split('_')[0]} ${at(seldom, n)}`,
  ),
  searching('a question', (n, { seldom }) => `which table has the ${at(seldom, n)} of customers`),
  searching(
    'five words without a hit',
    (n, { seldom }) => `order customer ${at(seldom, n)} payment nothing${n}`,
  ),
  searching('filters alone', () => 'kind:dashboard tag:medium is:verified'),
];

function listing(
  name: string,
  args: string | ((n: number, material: Material) => string),
  {
    bar = { growth: 1.5 },
    fields = 'nodes { id title kind }',
  }: { bar?: Question['bar']; fields?: string } = {},
): Question {
  return {
    name: `list: ${name}`,
    ask: (n, material) =>
      graphql(
        `{ resources(${typeof args === 'string' ? args : args(n, material)}) { ${fields} } }`,
      ),
    ...(bar ? { bar } : {}),
  };
}

const where = (condition: string) => `first: 50, where: { ${condition} }`;
const orders = [
  'createdAt',
  'updatedAt',
  'title',
  'titleFull',
  'externalUsage',
  'totalUsage',
  'externalUpdatedAt',
  'kind',
];

const pageSize = 50;
function numbered(page: number, bar?: Question['bar']): Question {
  const path = `/api/v1/table/tables?page=${page}&page_size=${pageSize}`;
  return { name: `list: page ${page} over REST`, ask: () => ({ path }), ...(bar ? { bar } : {}) };
}

/** Each time another of the pages in the middle of a million, to which some place that is remembered may be near. */
const aroundTheMiddle: Question = {
  name: 'list: a page around the middle over REST',
  ask: (n) => ({
    path: `/api/v1/table/tables?page=${2_000 + ((n * 617) % 1_000)}&page_size=${pageSize}`,
  }),
  bar: { than: 'list: page 1 over REST', ratio: 2 },
};

/** A page by its number of rows of which no plan can tell how many there are. */
function ofRareWord(page: number, bar: NonNullable<Question['bar']>): Question {
  return {
    name: `list: page ${page} of titles with a rare word over REST`,
    ask: (n, { rare }) => {
      const filter = { operator: 'contains', field: 'title', value: at(rare, n) };
      const given = encodeURIComponent(JSON.stringify(filter));
      return { path: `/api/v1/resource/catalog?page=${page}&page_size=5&filter=${given}` };
    },
    bar,
  };
}

/** Orders, filters, counts and pages of lists. */
export const lists: readonly Question[] = [
  ...orders.flatMap((field) => [
    listing(`by ${field}`, `kinds: [table], first: 50, orderBy: [{ ${field}: desc }]`),
    listing(`by ${field}, all kinds`, `first: 50, orderBy: [{ ${field}: asc }]`),
  ]),
  listing('two kinds', 'kinds: [table, dashboard], first: 50'),
  listing(
    'of a common tag',
    (_n, { tags }) => where(`tags: { some: { id: { eq: "${tags.common}" } } }`),
    { bar: { growth: 3 } },
  ),
  listing('of a rare tag', (_n, { tags }) =>
    where(`tags: { some: { id: { eq: "${tags.rare}" } } }`),
  ),
  listing(
    'title contains a common word',
    (n, material) => where(`title: { contains: "${common(n, material)}" }`),
    { bar: { growth: 3 } },
  ),
  listing(
    'title contains a rare word',
    (n, { rare }) => where(`title: { contains: "${at(rare, n)}" }`),
    { bar: { growth: 3 } },
  ),
  listing(
    'of an integration',
    (_n, { integration }) => `first: 50, integrationId: "${integration}"`,
  ),
  listing('of an owner who owns nothing', (_n, { owner }) =>
    where(`owners: { some: { id: { eq: "${owner}" } } }`),
  ),
  listing('within a schema', (n, { schemas }) => where(`within: "${at(schemas, n)}"`)),
  listing('children of a schema', (n, { schemas }) =>
    where(`parentId: { eq: "${at(schemas, n)}" }`),
  ),
  listing(
    'verified tables',
    `kinds: [table], ${where('verified: { eq: true }').replace('{ eq: true }', 'true')}`,
  ),
  listing('count of a kind', 'kinds: [table], first: 0', { fields: 'totalCount' }),
  listing('count of all', 'first: 0', { fields: 'totalCount' }),
  numbered(1, { growth: 1.5 }),
  // A page is read from the end that is nearer: the dearest is in the middle, the last one is page 4,990.
  numbered(2_500, { than: 'list: page 1 over REST', ratio: 2 }),
  aroundTheMiddle,
  numbered(4_990, { than: 'list: page 1 over REST', ratio: 2 }),
  ofRareWord(1, { growth: 3 }),
  ofRareWord(2, { than: 'list: page 1 of titles with a rare word over REST', ratio: 2 }),
];
