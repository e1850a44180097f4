// What the rest.graphql files say once and operations share: the fields of a body, the operations of a kind.

import { buildSchema, print, Source } from 'graphql';
import { expect, test } from 'vitest';
import { buildFacade } from '../../../src/rest/openapi/facade.ts';
import { type Operation, readOperations } from '../../../src/rest/operations/operation.ts';

const schema = buildSchema(`
  enum Kind { table event }
  type Query { thing(id: ID!, kinds: [Kind!]): Thing things(kinds: [Kind!], parentId: ID, page: Int, pageSize: Int): Page! }
  type Mutation {
    createThing(kind: Kind!, input: ThingInput!): Thing!
    createMark(input: MarkInput!): Thing!
  }
  input ThingInput {
    "What it is called."
    title: String
    parentId: ID
    size: Int
    ownerIds: [ID!]
    key: String!
  }
  input MarkInput { title: String parentId: ID }
  type Thing { id: ID! title: String }
  type Page { nodes: [Thing!]! totalCount: Int! }
`);

const read = (...texts: string[]) =>
  readOperations(
    schema,
    texts.map((text, at) => new Source(text, `src/part${at}/rest.graphql`)),
  );

/** Expect a text to be read as it is, and to stop the start with a message where `good` is `bad`. */
function stopsTheStart(
  text: string,
  good: string,
  bad: string,
  message: string,
  ...beside: string[]
) {
  const start = (one: string) => () => read(...beside, one);
  expect(start(text)).not.toThrow();
  expect(text).toContain(good);
  const broken = start(text.replace(good, bad));
  expect(broken).toThrow(message);
  expect(broken).toThrow(/^src\/part\d\/rest\.graphql:\d+:\d+: /);
}

const textOf = (operation?: Operation) => (operation ? print(operation.document) : '');

const record = 'fragment ThingRecord on Thing { id title }';
const fields = `
  fragment Common on ThingInput {
    title
    parent: parentId
    kind @param(ignored: true)
  }
  fragment NewThing on ThingInput {
    ...Common
    size @param(also: ["length"])
    owners: ownerIds
    key
  }`;
const create = (variables = '', more = '') => `
  mutation CreateTable(${variables}$body: ThingInput! @body(of: "NewThing"))
  @rest(method: POST, path: "/table", tag: "Things", summary: "x") {
    createThing(kind: table, input: $body) { ...ThingRecord }
  }${more}`;

test('each field of a body is a parameter by its documented name, of the type that the input has', () => {
  const [operation] = read(create(), fields, record);
  const parameters = operation?.parameters.map(({ name, place, type, also, ignored }) => [
    ...[name, place, String(type)],
    ...[ignored && 'ignored', ...also].filter((word) => word !== false),
  ]);
  expect(parameters).toEqual([
    ['title', 'body', 'String'],
    ['parent', 'body', 'ID'],
    ['kind', 'body', 'String', 'ignored'],
    ['size', 'body', 'Int', 'length'],
    ['owners', 'body', '[ID!]'],
    ['key', 'body', 'String!'],
  ]);
  expect(operation?.parameters[0]?.description).toBe('What it is called.');
  expect(operation?.documentedNames.get('input.ownerIds')).toBe('owners');
});

test('what the server runs is the input object written out, and nothing of the fragment', () => {
  const [operation] = read(create(), fields, record);
  const text = textOf(operation);
  expect(text.replaceAll(/\s+/g, ' ')).toBe(
    'mutation CreateTable($title: String, $parent: ID, $size: Int, $owners: [ID!], $key: String!) { ' +
      'createThing( kind: table input: {title: $title, parentId: $parent, size: $size, ' +
      'ownerIds: $owners, key: $key} ) { ...ThingRecord } } fragment ThingRecord on Thing { id title }',
  );
});

test('a parameter that the operation declares itself stands instead of the field’s', () => {
  const [operation] = read(
    create('$parent: ID!, $kind: Int @param(ignored: true), '),
    fields,
    record,
  );
  const types = operation?.parameters.map(({ name, type }) => `${name}: ${type}`);
  expect(types).toEqual([
    ...['parent: ID!', 'kind: Int', 'title: String', 'size: Int', 'owners: [ID!]', 'key: String!'],
  ]);
  expect(textOf(operation)).toContain('parentId: $parent');
});

test('a fragment serves input objects of several types, as far as they have its fields', () => {
  const mark = `
    fragment Mark on MarkInput { ...Common }
    mutation CreateMark($body: MarkInput! @body(of: "Mark"))
    @rest(method: POST, path: "/mark", tag: "Things", summary: "x") {
      createMark(input: $body) { id }
    }`;
  expect(read(create(), fields, record, mark)[1]?.parameters).toHaveLength(3);
  const wrong = mark.replace('...Common', '...NewThing');
  expect(() => read(create(), fields, record, wrong)).toThrow(
    'src/part1/rest.graphql:9:5: Field "size" is not defined by type "MarkInput".',
  );
});

test.each([
  ['a field that the input has no more', 'key\n', 'gone\n', 'Field "gone" is not defined'],
  ['a body of no fragment', '"NewThing"', '"Nothing"', 'There is no fragment Nothing'],
  ['a body of a record', '"NewThing"', '"ThingRecord"', 'There is no fragment ThingRecord'],
  ['a fragment that nothing uses', '...Common', '', 'No body has the fields of Common'],
  ['a fragment that spreads itself', 'title\n', '...NewThing\n', 'spreads itself'],
  ['a field with something below it', 'key\n', 'key { a }\n', 'plain fields and fragments only'],
  ['a body that is no object', '$body: ThingInput!', '$body: String', 'is an input object'],
  ['an argument that @body has not', '(of: "NewThing")', '(of: "NewThing", in: 1)', 'Unknown'],
  ['a body that says no fragment', '(of: "NewThing")', '', 'Argument "of" of required type'],
  ['a field that is said with a variable', '(also: ["length"]', '(also: [$a]', 'has no variables'],
  [
    'a note on the field of a record',
    '{ id title }',
    '{ id @param title }',
    'not be used on FIELD',
  ],
  ['a body in a record', '{ id title }', '{ ...NewThing }', 'Unknown fragment "NewThing"'],
])('%s stops the start, with file and line', (_, good, bad, message) => {
  stopsTheStart(create() + fields + record, good, bad, message);
});

const kinds = `
  query ListKinds($parent: ID, $page: Int = 1, $page_size: Int = 50) @eachKind
  @rest(
    method: GET, path: "{path}", shape: LIST, tag: "{tag}", summary: "List {many}",
    successor: { path: "/all", filter: { value: "{kind}" } }
  ) {
    things(kinds: [kind], parentId: $parent, page: $page, pageSize: $page_size) {
      count: totalCount
      results: nodes { ...KindRecord }
    }
  }
  query GetKind($kind_id: ID!) @eachKind
  @rest(method: GET, path: "{path}/:{id}", tag: "{tag}", summary: "Read {one}") {
    thing(id: $kind_id, kinds: [kind]) { ...KindRecord }
  }
  mutation CreateKind($body: ThingInput! @body(of: "{new}")) @eachKind
  @rest(method: POST, path: "{path}", tag: "{tag}", summary: "Create {one}") {
    createThing(kind: kind, input: $body) { ...KindRecord }
  }`;
const table = `
  fragment Table on Thing
  @kind(
    of: table, plural: "Tables", one: "a table", many: "tables", tag: "Catalog"
    paths: ["/table/tables"], new: "NewThing", superseded: true
  ) { ...ThingRecord }`;
const event = `
  fragment TimedEvent on Thing
  @kind(
    of: event, plural: "TimedEvents", one: "an event", many: "events", tag: "Events"
    paths: ["/event", "/event/events"], new: "NewThing", without: ["parent"]
  ) { ...ThingRecord }`;

test('every kind has the operations of all kinds, in its own words and at its own paths', () => {
  const operations = read(kinds, table, event, fields, record);
  expect(operations.map(({ name, path, summary, tag }) => [name, path, summary, tag])).toEqual([
    ['ListTables', '/table/tables', 'List tables', 'Catalog'],
    ['GetTable', '/table/tables/:table_id', 'Read a table', 'Catalog'],
    ['CreateTable', '/table/tables', 'Create a table', 'Catalog'],
    ['ListTimedEvents', '/event', 'List events', 'Events'],
    ['GetTimedEvent', '/event/:timed_event_id', 'Read an event', 'Events'],
    ['CreateTimedEvent', '/event', 'Create an event', 'Events'],
  ]);
  expect(operations.map(({ aliases }) => aliases.join())).toEqual([
    ...['', '', '', '/event/events', '/event/events/:timed_event_id', '/event/events'],
  ]);
  expect(operations.map(({ successor }) => successor?.filter)).toEqual([
    ...[{ value: 'table' }, undefined, undefined, undefined, undefined, undefined],
  ]);
  const [listTables, , , listEvents, getEvent] = operations;
  expect(listTables?.parameters.map(({ name }) => name)).toEqual(['parent', 'page', 'page_size']);
  expect(listEvents?.parameters.map(({ name }) => name)).toEqual(['page', 'page_size']);
  const text = textOf(getEvent);
  expect(text).toContain('thing(id: $timed_event_id, kinds: [event])');
  expect(Object.keys(buildFacade(schema, operations).getTypeMap())).toContain('ThingRecord');
});

test('what a file writes out for a kind stands instead of what all kinds have', () => {
  const own = `
    query GetTable($key: ID!)
    @rest(method: GET, path: "/table/:key", tag: "Things", summary: "By its key") {
      thing(id: $key) { id }
    }`;
  const operations = read(kinds, table, fields, record, own);
  expect(operations.map(({ name, path }) => `${name} ${path}`)).toEqual([
    ...['ListTables /table/tables', 'CreateTable /table/tables', 'GetTable /table/:key'],
  ]);
});

test.each([
  ['a value that the schema has not', 'of: table', 'of: tabel', 'src/part4/rest.graphql:4:9: '],
  [
    'a record that there is none of',
    '...ThingRecord',
    '...ThingRecords',
    'src/part4/rest.graphql:6:10: ',
  ],
  ['no record', '{ ...ThingRecord }', '{ ...ThingRecord id }', 'the fragment of its record alone'],
  ['no path', '["/table/tables"]', '[]', 'A kind has a value and paths'],
  ['no word for several', 'plural: "Tables",', '', 'Argument "plural" of required type'],
  ['an argument that there is none of', 'new:', 'nwe:', 'Unknown argument "nwe"'],
  ['no fields to create one', 'new: "NewThing", ', '', 'There is no fragment {new}'],
  ['a parameter less that none has', 'superseded: true', 'without: ["paernt"]', 'parameter paernt'],
  ['a path that another has', '"/table/tables"', '"/event"', 'is already served at GET /event'],
])('a kind with %s stops the start, with file and line', (_, good, bad, message) => {
  stopsTheStart(table, good, bad, message, kinds, event, fields, record);
});

test('what is wrong with the operations of all kinds is said once', () => {
  const wrong = kinds.replace('count: totalCount', 'count: total');
  const said = () => read(wrong, table, event, fields, record);
  expect(said).toThrow(/^src\/part0\/rest\.graphql:8:7: Cannot query field "total" [^\n]*$/);
});
