// A small library with a GraphQL schema of its own, to try the REST machinery on.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DateTimeResolver, JSONResolver } from 'graphql-scalars';
import { createSchema, createYoga, useExecutionCancellation } from 'graphql-yoga';
import {
  conflict,
  forbidden,
  invalidField,
  notFound,
  unauthenticated,
} from '../../../../src/errors.ts';
import { usePlannedOperations } from '../../../../src/graphql/execution/execute.ts';
import { clientErrorOf, maskError } from '../../../../src/graphql/masking.ts';
import { findSources } from '../../../../src/rest/operations/documents.ts';
import { type Operation, readOperations } from '../../../../src/rest/operations/operation.ts';
import { createRest, type RestOptions } from '../../../../src/rest/server.ts';
import { isUuid } from '../../../../src/text/uuid.ts';

/** Who may use the library: by key. */
export type Role = 'librarian' | 'reader';

/** The context of a request without a key. */
export interface Stranger {
  readonly role: Role | null;
  readonly request: Request;
}

/** The context of a request with one. */
export interface Visitor extends Stranger {
  readonly role: Role;
}

interface Book {
  readonly __typename: 'Book';
  readonly id: string;
  readonly createdAt: Date;
  title: string;
  kind: string;
  shelfId: string | null;
  pageCount: number | null;
  price: number | null;
  isLent: boolean;
  authors: readonly string[];
  received: unknown;
  loan: { to: string; days: number } | null;
}

interface PageArgs {
  readonly page?: number;
  readonly pageSize?: number;
}

interface BookInput extends Partial<Omit<Book, '__typename' | 'id' | 'createdAt' | 'received'>> {}

const keys = new Map<string, Role>([
  ['Bearer librarian-key', 'librarian'],
  ['Bearer reader-key', 'reader'],
]);

const shelf = {
  __typename: 'Shelf',
  id: '5f0c7c38-6f0e-4f2a-8a6c-0f7b3f6f2d10',
  title: 'Novels',
};

/** What the library holds. */
export class Shelves {
  readonly books: Book[] = [];
  readonly errors: unknown[] = [];
  /** Signals of the requests that asked for the slow book. */
  readonly slow: AbortSignal[] = [];

  add(input: BookInput, received: unknown = null): Book {
    const book: Book = {
      __typename: 'Book',
      id: randomUUID(),
      createdAt: new Date('2024-05-01T12:00:00Z'),
      title: input.title ?? 'Untitled',
      kind: input.kind ?? 'novel',
      shelfId: input.shelfId ?? null,
      pageCount: input.pageCount ?? null,
      price: input.price ?? null,
      isLent: input.isLent ?? false,
      authors: input.authors ?? [],
      received,
      loan: input.loan ?? null,
    };
    this.books.push(book);
    return book;
  }

  find(id: string): Book | undefined {
    return this.books.find((book) => book.id === id);
  }
}

function pageOf<T>(rows: readonly T[], { page = 1, pageSize = 50 }: PageArgs) {
  if (page < 1) throw invalidField('page', 'It starts at 1.');
  if (pageSize < 1 || pageSize > 1000) throw invalidField('pageSize', 'pageSize is 1 to 1000.');
  const start = (page - 1) * pageSize;
  return { totalCount: rows.length, nodes: rows.slice(start, start + pageSize) };
}

function mustBeLibrarian({ role }: Stranger): void {
  if (role === null) throw unauthenticated();
  if (role !== 'librarian') throw forbidden('Only librarians may.');
}

function librarySchema(shelves: Shelves) {
  return createSchema<Stranger>({
    typeDefs: readFileSync(new URL('schema.graphql', import.meta.url), 'utf8'),
    resolvers: {
      DateTime: DateTimeResolver,
      JSON: JSONResolver,
      Query: {
        book: async (_, { id }: { id: string }, { request }) => {
          if (id === 'crash') throw new Error('password=hunter2 is wrong');
          if (id === 'slow') {
            shelves.slow.push(request.signal);
            await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
          }
          return shelves.find(id) ?? null;
        },
        books: (_, args: PageArgs & Record<string, unknown>) => {
          const { page, pageSize, title, ...rest } = args;
          const found = shelves.books.filter((book) => !title || book.title === title);
          return pageOf(
            found.map((book) => ({ ...book, received: rest })),
            args,
          );
        },
        shelves: () => ({ nodes: [shelf] }),
        items: (_, args: PageArgs) => pageOf([shelf, ...shelves.books], args),
        log: (_, { bookId, ...args }: PageArgs & { bookId?: string }, context) => {
          mustBeLibrarian(context);
          const entries = shelves.books.filter((book) => !bookId || book.id === bookId);
          return pageOf(
            entries.map(({ id }) => ({ id, activity: 'added' })),
            args,
          );
        },
      },
      Book: { versions: () => [{ number: 1 }], icon: () => null },
      Mutation: {
        createBook: (_, args: { input: BookInput; dryRun?: boolean }, context) => {
          mustBeLibrarian(context);
          if (args.input.title === 'taken') throw conflict('There is such a book.');
          if (args.input.pageCount === 0) throw invalidField('pageCount', 'pageCount is positive.');
          if (args.input.shelfId && !isUuid(args.input.shelfId)) {
            throw invalidField('shelfId', 'There is no such shelf.');
          }
          if (args.input.loan?.days === 0) throw invalidField('loan.days', 'It is at least 1.');
          return shelves.add(args.input, args);
        },
        updateBook: (_, { id, patch }: { id: string; patch: BookInput }, context) => {
          mustBeLibrarian(context);
          const book = shelves.find(id);
          if (!book) throw notFound('Book');
          book.received = patch;
          return book;
        },
        deleteBook: (_, { id }: { id: string }) => {
          const book = shelves.find(id);
          if (!book) throw notFound('Book');
          shelves.books.splice(shelves.books.indexOf(book), 1);
          return true;
        },
        countBooks: (_, { ids }: { ids: string[] }) => ({ counted: ids.length }),
        rebuild: () => true,
      },
    },
  });
}

/** A library with its REST API; `options` replace those of the server. */
export function openLibrary(options: Partial<RestOptions<Stranger, Visitor>> = {}) {
  const shelves = new Shelves();
  const schema = librarySchema(shelves);
  const operations: readonly Operation[] = readOperations(
    schema,
    findSources(new URL('../../', import.meta.url)),
  );
  const yoga = createYoga<object, Stranger>({
    schema,
    logging: false,
    context: ({ request }) => ({
      request,
      role: keys.get(request.headers.get('authorization') ?? '') ?? null,
    }),
    maskedErrors: { maskError: (error) => maskError(error, (one) => shelves.errors.push(one)) },
    plugins: [useExecutionCancellation(), usePlannedOperations()],
  });
  const rest = createRest<Stranger, Visitor>({
    engine: yoga,
    schema,
    operations,
    base: '/api/v1',
    info: { title: 'Library', version: '1' },
    seenOrigin: { publicUrl: null, trustsProxy: false },
    maxBodyBytes: 10_000,
    admit: ({ role, request }) => {
      if (role === null) throw unauthenticated();
      return { role, request };
    },
    failureOf: clientErrorOf,
    onUnexpected: (error) => shelves.errors.push(error),
    ...options,
  });
  return { ...rest, shelves, schema, operations, yoga };
}

/** A request to the library as a librarian, with a body if one is given. */
export function ask(method: string, path: string, body?: unknown, headers = {}): Request {
  const json = typeof body === 'string' ? body : JSON.stringify(body);
  return new Request(`http://library.test/api/v1${path}`, {
    method,
    headers: {
      authorization: 'Bearer librarian-key',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: json }),
  });
}
