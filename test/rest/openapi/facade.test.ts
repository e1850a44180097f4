import { printSchema, printType, validateSchema } from 'graphql';
import { expect, test } from 'vitest';
import { buildFacade, sectionOf } from '../../../src/rest/openapi/facade.ts';
import { openLibrary } from '../operations/library/library.ts';

const { schema, operations } = openLibrary();
const facade = buildFacade(schema, operations);
const printed = (name: string) => {
  const type = facade.getType(name);
  return type ? printType(type) : undefined;
};

test('the facade is a valid schema with a root field for each operation', () => {
  expect(validateSchema(facade)).toEqual([]);
  const roots = { ...facade.getQueryType()?.getFields(), ...facade.getMutationType()?.getFields() };
  expect(Object.keys(roots).sort()).toEqual(operations.map(({ name }) => name).sort());
});

test('a record is named after its fragment and has the documented names', () => {
  expect(printed('ShelfRecord')).toBe('type ShelfRecord {\n  id: ID!\n  title: String!\n}');
  expect(printed('BookRecord')).toContain('created_at: DateTime!');
  expect(printed('BookRecord')).toContain('loan: BookRecord_loan');
  expect(printed('BookRecord')).not.toMatch(/shelfId|createdAt|versions/);
});

test('lists have the envelope, the logs their own, and bare arrays none', () => {
  const { ListBooks, ListShelves, AuditLog } = facade.getQueryType()?.getFields() ?? {};
  expect(String(ListBooks?.type)).toBe('BookRecordList!');
  expect(String(ListShelves?.type)).toBe('[ShelfRecord!]!');
  expect(String(AuditLog?.type)).toBe('LogRecordAuditList!');
  expect(printed('BookRecordList')).toContain('results: [BookRecord!]!');
  expect(printed('BookRecordList')).toContain('meta: PageMeta!');
  expect(printed('LogRecordAuditList')).toContain('meta: PageMetaWithTotals!');
  expect(printed('BookLogAnswer')).toMatch(
    /non_versioned_logs: \[LogRecord!\]![\s\S]*version_histories: \[BookLogAnswer_version_histories!\]!/,
  );
});

test('a body is an input of the documented fields, needed where one of them is', () => {
  const { CreateBook, UpdateBook, Rebuild } = facade.getMutationType()?.getFields() ?? {};
  const args = (field: typeof CreateBook) =>
    field?.args.map(({ name, type }) => `${name}: ${type}`).sort();
  expect(args(CreateBook)).toEqual(['body: CreateBookBody!', 'dry_run: Boolean']);
  expect(args(UpdateBook)).toEqual(['body: UpdateBookBody', 'book_id: ID!']);
  expect(args(Rebuild)).toEqual([]);
  expect(printed('UpdateBookBody')).toContain('shelf: ID');
});

test('a section serves its own operations only, and has a query type in any case', () => {
  const rebuild = operations.filter(({ name }) => name === 'Rebuild');
  const section = printSchema(sectionOf(facade, rebuild));
  expect(section).toContain('Rebuild: EmptyObject!');
  expect(section).toContain('type Query');
  expect(section).not.toContain('Book');
});
