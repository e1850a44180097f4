// Of resources those columns are read that an answer shows: each field is the same anyone else who is asked for.

import {
  type GraphQLField,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isNonNullType,
  Kind,
  parse,
} from 'graphql';
import { expect, test } from 'vitest';
import { shownOf } from '../../src/graphql/execution/shown-columns.ts';
import { schema } from '../../src/graphql/schema.ts';
import { kindNames, kinds } from '../../src/resources/kind.ts';
import { shownColumns } from '../../src/resources/shown.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

/** Columns that stay as they are: what they hold decides whether a resource is found. */
const kept = [
  'identity',
  'id',
  'workspace_id',
  'kind',
  'parent_id',
  'integration_id',
  'archived',
  'version',
];

/** Give every other column a value; the tag that it then has, which nothing else does. */
async function fill(catalog: Catalog, id: string): Promise<string> {
  const tag = (await catalog.tag()).id;
  const { rows } = await catalog.owner.query<{ name: string; type: string }>(
    `select column_name as name, coalesce(udt_name, data_type) as type from information_schema.columns
      where table_name = 'resource' and table_schema = 'public' and is_generated = 'NEVER'`,
  );
  const ids: Readonly<Record<string, string>> = {
    tag_ids: tag,
    team_ids: (await catalog.team()).id,
    owner_group_ids: (await catalog.group()).id,
    collection_ids: (await catalog.resource({ kind: 'collection' })).id,
    base_entity_id: id,
  };
  const user = catalog.idOf('viewer');
  const texts: Readonly<Record<string, string>> = {
    ...{ url: 'https://example.com', type: 'integer', term_status: 'in_review' },
  };
  const valuesOf: Readonly<Record<string, (name: string) => unknown>> = {
    text: (name) => texts[name] ?? `the ${name}`,
    uuid: (name) => ids[name] ?? user,
    _uuid: (name) => [ids[name] ?? user],
    _text: (name) => [name],
    bool: () => true,
    int4: () => 7,
    int8: () => 8,
    float8: () => 9,
    timestamptz: () => new Date('2026-01-02T03:04:05Z'),
    jsonb: (name) => JSON.stringify({ of: name }),
  };
  const given = rows.flatMap(({ name, type }) => {
    const value = kept.includes(name) ? undefined : valuesOf[type]?.(name);
    return value === undefined || name.startsWith('question_') ? [] : [{ name, value }];
  });
  await catalog.owner.query(
    `update resource set ${given.map(({ name }, i) => `"${name}" = $${i + 2}`).join(', ')} where id = $1`,
    [id, ...given.map(({ value }) => value)],
  );
  return tag;
}

/** What a resolver is told of an operation that asks for some fields. */
function operationOf(text: string) {
  const [operation] = parse(text).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`${text} is no operation.`);
  return { schema, operation, fragments: {} };
}

function asked({ name, type, args }: GraphQLField<unknown, unknown>): string | null {
  if (args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined)) return null;
  return `${name}${isCompositeType(getNamedType(type)) ? ' { __typename }' : ''}`;
}

test('each field of each kind reads the columns that it shows, alone as among all others', async () => {
  await using catalog = await openCatalog();
  const resource = schema.getType('Resource');
  if (!isInterfaceType(resource)) throw new Error('Resource is no interface.');
  let compared = 0;
  for (const kind of kindNames) {
    if (kind === 'question' || kind === 'question_reply') continue;
    const { id: integrationId } = await catalog.integration();
    const { id } = await catalog.resource({ kind, integrationId });
    const tag = await fill(catalog, id);
    const type = schema.getPossibleTypes(resource).find(({ name }) => name === kinds[kind].type);
    // What all kinds have in common is the same field, and is compared of these two.
    const isWhole = kind === 'table' || kind === 'column';
    const fields = Object.values(type?.getFields() ?? {})
      .filter(({ name }) => isWhole || !(name in resource.getFields()))
      .flatMap((field) => asked(field) ?? []);
    if (fields.length === 0) continue;
    const on = (selection: string) => `... on ${type?.name} { ${selection} }`;
    const whole = await catalog.graphql(
      `query ($id: ID!) { node(id: $id) { ${on(fields.join(' '))} } }`,
      { id },
    );
    expect(whole.errors).toBeUndefined();
    for (const field of fields) {
      const [name = ''] = field.split(' ');
      const { data, errors } = await catalog.graphql(
        `query ($id: ID!, $kind: ResourceKind!, $ids: [ID!]!, $tag: ID!) {
          resource(id: $id) { ${on(field)} }
          resources(kinds: [$kind], first: 5) { nodes { ... on Node { id } ${on(field)} } }
          lineage(from: $ids, maxNodes: 10) { nodes { resource { ${on(field)} } } }
          search(query: "the title", kinds: [$kind]) { nodes { resource { ${on(field)} } } }
          tag(id: $tag) { resources { nodes { ... on Node { id } ${on(field)} } } } }`,
        { id, kind, ids: [id], tag },
      );
      expect(errors, field).toBeUndefined();
      const expected = whole.data.node[name];
      expect(data.resource[name], `${kind}.${name}`).toEqual(expected);
      const listed = data.resources.nodes.find((one: { id: string }) => one.id === id);
      expect(listed[name], `${kind}.${name} in a list`).toEqual(expected);
      expect(data.lineage.nodes[0].resource[name], `${kind}.${name} in lineage`).toEqual(expected);
      const [hit] = data.search.nodes;
      expect(hit.resource[name], `${kind}.${name} of a hit`).toEqual(expected);
      const [held] = data.tag.resources.nodes;
      expect(held[name], `${kind}.${name} of what a tag holds`).toEqual(expected);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(70);
});

test('each field of each kind says which columns it reads', () => {
  const resource = schema.getType('Resource');
  const types = isInterfaceType(resource) ? schema.getPossibleTypes(resource) : [];
  const silent = types.flatMap((type) =>
    Object.values(type.getFields())
      .filter(({ name }) => shownOf(operationOf(`{ ${name} }`)) === null)
      .map(({ name }) => `${type.name}.${name}`),
  );
  expect(types).toHaveLength(kindNames.length);
  expect(silent).toEqual([]);
});

test('a list reads no long column that it does not show', async () => {
  await using catalog = await openCatalog();
  await catalog.resource({ title: 'orders' });
  const read = async (fields: string) => {
    const { statements } = await catalog.counting(() =>
      catalog.graphql(`{ resources(first: 5) { nodes { ${fields} } } }`),
    );
    return statements.join('\n');
  };
  const few = await read('id title owners { email }');
  expect(few).toContain('owner_ids');
  for (const column of ['definition', 'creation_query', 'sql', 'search_metadata'])
    expect(few).not.toContain(`r.${column} `);
  expect(await read('definition')).toContain('r.definition ');
});

test('search and what others hold read no long column that they do not show', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource({ kind: 'table', title: 'orders' });
  await catalog.resource({ kind: 'column', parentId: id, title: 'price' });
  const lists = {
    search: (shown: string) => `search(query: "orders") { nodes { resource { ${shown} } } }`,
    children: (shown: string) => `resource(id: "${id}") { children { nodes { ${shown} } } }`,
    columns: (shown: string) => `resource(id: "${id}") { ... on Table { columns { ${shown} } } }`,
    'of a user': (shown: string) =>
      `user(id: "${catalog.idOf('admin')}") { ownedResources { nodes { ${shown} } } }`,
  };
  const read = async (query: string) => {
    const { value, statements } = await catalog.counting(() => catalog.graphql(`{ ${query} }`));
    expect(value.errors).toBeUndefined();
    return statements.join('\n');
  };
  for (const [name, list] of Object.entries(lists)) {
    expect(await read(list('id title')), name).not.toMatch(
      /r\.(definition|creation_query|sql|answer|search_metadata) as/,
    );
    expect(await read(list('id definition')), name).toContain('r.definition as');
  }
  const highlighted = 'search(query: "orders") { nodes { resource { id } highlights { text } } }';
  expect(await read(highlighted)).toContain('r.definition as');
  expect(await read(highlighted)).not.toContain('r.creation_query as');
});

test('of ever so many selections few statements are made, and no long text is read that no one shows', () => {
  const short = ['title', 'url', 'icon', 'pii', 'verified', 'stale', 'type', 'product', 'dialect'];
  const selections = Array.from({ length: 400 }, (_, n) =>
    short.filter((_name, bit) => (n >> bit) % 2 === 1),
  );
  const texts = selections.map((names) => shownColumns(new Set([...names, 'title'])).text);
  expect(new Set(texts).size).toBeLessThan(70);
  for (const text of texts) {
    expect(text).toMatch(/r\.title/);
    expect(text).not.toMatch(/r\.(definition|creation_query|sql|answer) |metadata/);
  }
  const late = shownColumns(new Set(['pii', 'dialect', 'rowCount', 'definition'])).text;
  expect(late).toMatch(/r\.definition /);
  expect(late).not.toMatch(/creation_query|metadata/);
});
