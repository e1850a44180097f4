import { buildSchema, Source } from 'graphql';
import { expect, test } from 'vitest';
import { buildFacade } from '../../../src/rest/openapi/facade.ts';
import { findSources } from '../../../src/rest/operations/documents.ts';
import { readOperations } from '../../../src/rest/operations/operation.ts';

const schema = buildSchema(`
  type Query {
    monitor(id: ID!): Monitor
    monitors(page: Int, pageSize: Int): Page!
    names: [String!]!
  }
  type Mutation { createMonitor("The new one." input: MonitorInput!): Monitor! }
  type Subscription { changed: Monitor }
  input MonitorInput {
    "The table or column that is watched."
    targetId: ID
  }
  type Monitor { id: ID! targetId: ID createdAt: String! }
  type Page { nodes: [Monitor!]! totalCount: Int! }
`);

const read = (...texts: string[]) =>
  readOperations(
    schema,
    texts.map((text, at) => new Source(text, `src/part${at}/rest.graphql`)),
  );

const rest = (more: string) => `@rest(${more}, tag: "Monitors", summary: "x")`;

test('a field that the schema has no more stops the start, with its file and line', () => {
  const stale = `
    query GetMonitor($id: ID!) ${rest('method: GET, path: "/monitor/:id"')} {
      monitor(id: $id) { ...MonitorRecord }
    }
    fragment MonitorRecord on Monitor {
      id
      target: target_id
    }`;
  expect(() => read(get('/a'), stale)).toThrow(
    'src/part1/rest.graphql:7:7: Cannot query field "target_id" on type "Monitor". Did you mean "targetId"?',
  );
});

test('all that is stale is said at once', () => {
  const stale = `
    query A ${rest('method: GET, path: "/a"')} { names { x } monitors { gone } }
    query B ${rest('method: GET, path: "/b"')} { lost }`;
  const say = () => read(stale);
  expect(say).toThrow(/rest\.graphql:2:\d+: .*names/);
  expect(say).toThrow(/rest\.graphql:2:\d+: .*gone/);
  expect(say).toThrow(/rest\.graphql:3:\d+: .*lost/);
});

test('text that is no GraphQL has its place, too', () => {
  expect(() => read('query {')).toThrow(/^src\/part0\/rest\.graphql:1:8: Syntax Error/);
});

test.each([
  ['an operation without @rest', 'query A { names }', 'needs a name and @rest'],
  ['a path parameter without a variable', get('/a/:id'), 'names no variable $id'],
  ['a path parameter that may be null', get('/a/:id', '($id: Boolean = true)'), 'make it required'],
  ['a path without a slash', get('a'), 'starts with a slash'],
  ['an unused variable', get('/a', '($x: Int)'), 'Variable "$x" is never used'],
  ['an unknown argument of @rest', get('/a", pth: "b'), 'Unknown argument "pth"'],
  ['a method that there is none of', get('/a').replace('GET', 'FETCH'), 'FETCH'],
  ['a list without pages', get('/a', '', 'LIST', 'monitors { results: nodes { id } }'), '$page'],
  ['an envelope without a count', list('results: nodes { id }'), 'needs a field called count'],
  ['an envelope with more', list('count: totalCount results: nodes { id } totalCount'), 'no place'],
  ['results that are no list', list('count: totalCount results: totalCount'), 'no list'],
  ['an array of no list', get('/a', '', 'ARRAY', 'names'), 'needs objects'],
  ['a type definition', 'type A { b: Int }', 'not executable'],
  [
    'a subscription',
    'subscription A @rest(method: GET) { changed { id } }',
    'may not be used on SUBSCRIPTION',
  ],
])('%s stops the start', (_, text, message) => {
  const start = () => buildFacade(schema, read(text));
  expect(start).toThrow(/^src\/part0\/rest\.graphql:\d+:\d+: /);
  expect(start).toThrow(message);
});

function get(path: string, variables = '', shape = 'RECORD', body = 'names'): string {
  const directive = rest(`method: GET, path: "${path}", shape: ${shape}`);
  const used = variables.includes('$id') ? 'names @skip(if: $id)' : body;
  return `query A${variables} ${directive} { ${used} }`;
}

function list(fields: string): string {
  const pages = '($page: Int = 1, $page_size: Int = 50)';
  const body = `monitors(page: $page, pageSize: $page_size) { ${fields} }`;
  return get('/a', pages, 'LIST', body);
}

test('two operations can’t be served at one path, however its parameters are called', () => {
  const one = (name: string, path: string, variable: string) =>
    `query ${name}($${variable}: ID!) ${rest(`method: GET, path: "${path}"`)} {
      monitor(id: $${variable}) { id }
    }`;
  expect(() => read(one('A', '/m/:id', 'id') + one('B', '/m/:key/', 'key'))).toThrow(
    'A is already served at GET /m/:',
  );
  expect(read(one('A', '/m/:id', 'id') + one('B', '/n/:id', 'id'))).toHaveLength(2);
});

test('fragments may be shared between files', () => {
  const [operation] = read(
    `query A($id: ID!) ${rest('method: GET, path: "/a/:id"')} { monitor(id: $id) { ...Record } }`,
    'fragment Record on Monitor { id ...Times } fragment Times on Monitor { createdAt }',
    `query B($id: ID!) ${rest('method: GET, path: "/b/:id"')} { monitor(id: $id) { ...Times } }`,
  );
  expect(operation?.document.definitions).toHaveLength(3);
});

test('a variable is described by what it feeds, and its errors come back under its name', () => {
  const [operation] = read(
    `mutation A($target: ID) ${rest('method: POST, path: "/a"')} {
      createMonitor(input: { targetId: $target }) { id }
    }`,
  );
  expect(operation?.parameters[0]).toMatchObject({
    name: 'target',
    place: 'body',
    description: 'The table or column that is watched.',
  });
  expect(operation?.documentedNames.get('targetId')).toBe('target');
  expect(operation?.documentedNames.get('input.targetId')).toBe('target');
});

test('files are found in the folders of the features, by the end of their names', () => {
  const found = findSources(new URL('../', import.meta.url)).map(({ name }) => name);
  expect(found).toEqual(['test/rest/operations/library/rest.graphql']);
});
