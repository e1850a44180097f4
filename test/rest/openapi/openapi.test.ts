import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { ask, openLibrary } from '../operations/library/library.ts';
import { conformance, operationsOf } from './conform.ts';

test('the document is valid OpenAPI 3.1', async () => {
  const { document } = openLibrary();
  const validator = new Validator();
  const result = await validator.validate(JSON.parse(JSON.stringify(document)));
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test('the document has every path of every operation, its aliases too, under names of their own', () => {
  const { document, operations } = openLibrary();
  const documented = operationsOf(document);
  const places = operations.flatMap(({ method, path, aliases }) =>
    [path, ...aliases].map((one) => `${method} /api/v1${one.replaceAll(/:(\w+)/g, '{$1}')}`),
  );
  expect(documented.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(places.sort());
  const names = documented.map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
});

test('every example is one: of parameters, bodies, answers and problems', () => {
  const { document } = openLibrary();
  const { validate } = conformance(document);
  let examples = 0;
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('example' in value && 'schema' in value && typeof value.schema === 'object') {
      examples += 1;
      expect([value.schema, validate(value.schema ?? {}, value.example)]).toEqual([
        value.schema,
        [],
      ]);
    }
    for (const inner of Object.values(value)) walk(inner);
  };
  walk(document.paths);
  walk(document.components.responses);
  expect(examples).toBeGreaterThan(20);
});

test('every body and every answer with content has an example', () => {
  for (const { operation } of operationsOf(openLibrary().document)) {
    const body = operation.requestBody?.content['application/json'];
    if (body) expect(body).toHaveProperty('example');
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (content) expect([status, content['application/json']?.example]).not.toContain(undefined);
    }
  }
});

test('what is declared is what is documented: types, defaults, descriptions, aliases, ignored fields', () => {
  const { document } = openLibrary();
  const { paths, components } = document;
  const list = paths['/api/v1/book/books']?.get;
  expect(list).toMatchObject({
    operationId: 'ListBooks',
    tags: ['Books'],
    parameters: expect.arrayContaining([
      {
        name: 'title',
        in: 'query',
        required: false,
        schema: { type: 'string' },
        example: 'Middlemarch',
      },
      {
        name: 'shelves',
        in: 'query',
        required: false,
        description: 'Also taken as `shelf`. Repeated, or separated by commas.',
        schema: { type: 'array', items: { type: 'string', format: 'uuid' } },
      },
      {
        name: 'page_size',
        in: 'query',
        required: false,
        schema: { type: 'integer', format: 'int32', default: 50, minimum: 1, maximum: 1000 },
      },
    ]),
  });
  expect(paths['/api/v1/book/books/{book_id}']?.get).toMatchObject({
    deprecated: true,
    parameters: [{ name: 'book_id', in: 'path', required: true }],
  });
  expect(components.schemas.CreateBookBody).toMatchObject({
    required: ['title'],
    properties: {
      pages: { type: ['integer', 'null'], description: 'How many pages it has.' },
      notify_chat_channel: { description: expect.stringContaining('Told of it.') },
      entity_type: { description: expect.stringContaining('ignored') },
      kind: { enum: ['novel', 'poetry', null] },
    },
  });
  expect(components.schemas.CreateBookBody).not.toHaveProperty('properties.dry_run');
  expect(components.schemas.CreateBookBody).not.toHaveProperty('additionalProperties');
});

test('records have exactly their fields, and those of some kinds only may be absent', () => {
  const { schemas } = openLibrary().document.components;
  expect(schemas.BookRecord).toMatchObject({
    additionalProperties: false,
    required: expect.arrayContaining(['id', 'created_at', 'shelf', 'loan']),
    properties: {
      id: { type: 'string', format: 'uuid' },
      created_at: {
        type: 'string',
        format: 'date-time',
        description: 'When it came to the library.',
      },
      shelf: { type: ['string', 'null'] },
      loan: { anyOf: [{ $ref: '#/components/schemas/BookRecord_loan' }, { type: 'null' }] },
    },
  });
  expect(schemas.ItemRecord).toMatchObject({ required: ['id', 'title'] });
  expect(schemas.ItemRecord).toHaveProperty('properties.pages');
});

test('each operation documents the errors that it can have', () => {
  const { document } = openLibrary();
  const statuses = new Map(
    operationsOf(document).map(({ operation }) => [
      operation.operationId,
      Object.keys(operation.responses),
    ]),
  );
  expect(statuses.get('CreateBook')).toEqual([
    '201',
    '400',
    '401',
    '403',
    '409',
    '413',
    '500',
    '503',
    'default',
  ]);
  expect(statuses.get('DeleteBook')).toEqual(['204', '401', '403', '404', '500', '503', 'default']);
  expect(statuses.get('ListShelves')).toEqual(['200', '401', '403', '500', '503', 'default']);
});

test('the answers of every operation are what the document says', async () => {
  const library = openLibrary();
  const { check } = conformance(library.document);
  for (const documented of operationsOf(library.document)) {
    const { id } = library.shelves.add({ title: 'A', loan: { to: 'Ann', days: 1 } });
    const path = documented.path.replace('/api/v1', '').replaceAll(/\{\w+\}/g, id);
    const query = path === '/log/book/' ? `?book_id=${id}` : '';
    const body = documented.operation.requestBody ? { title: 'A', books: [id] } : undefined;
    for (const request of [
      ask(documented.method, path + query, body),
      ask(documented.method, path, body && {}),
      ask(documented.method, `${path}?page=no`, body && 'no'),
      ask(documented.method, path, body, { authorization: 'no' }),
    ]) {
      const response = await library.fetch(request);
      const type = response.headers.get('content-type');
      const wrong = check(documented, response.status, type, await response.text());
      expect([documented.operation.operationId, response.status, wrong]).toEqual([
        documented.operation.operationId,
        expect.any(Number),
        [],
      ]);
    }
  }
});

test('the check of answers notices what is wrong', () => {
  const { document } = openLibrary();
  const { check } = conformance(document);
  const [list] = operationsOf(document).filter(
    (one) => one.operation.operationId === 'ListShelves',
  );
  if (!list) throw new Error('no ListShelves');
  const json = 'application/json';
  const shelf = { id: '0d9f1c1e-6f0b-4c39-9d8a-2f1f0f6b7a51', title: 'A' };
  expect(check(list, 200, json, JSON.stringify([shelf]))).toEqual([]);
  expect(check(list, 200, json, JSON.stringify([{ ...shelf, more: 1 }]))).not.toEqual([]);
  expect(check(list, 200, json, JSON.stringify([{ id: shelf.id }]))).not.toEqual([]);
  expect(check(list, 200, json, JSON.stringify([{ ...shelf, title: null }]))).not.toEqual([]);
  expect(check(list, 200, 'text/plain', '[]')).not.toEqual([]);
  expect(check(list, 401, 'application/problem+json', '{}')).not.toEqual([]);
});

test('the document is served, and a route by hand is in it', async () => {
  const library = openLibrary({
    routes: [
      {
        method: 'POST',
        path: '/book/books/:book_id/scan/',
        scope: 'IMPORT',
        document: {
          operationId: 'ScanBook',
          tag: 'Scans',
          summary: 'Scan a book',
          requestBody: {
            required: true,
            content: {
              'multipart/form-data': {
                schema: { type: 'object', properties: { file: { type: 'string' } } },
              },
            },
          },
          responses: { 204: { description: 'Scanned.' } },
          errors: [409],
        },
        handle: async () => ({ status: 204 }),
      },
    ],
  });
  const response = await library.fetch(
    ask('GET', '/openapi.json', undefined, { authorization: '' }),
  );
  expect(response.headers.get('content-type')).toBe('application/json');
  const served = await response.json();
  expect(served).toEqual(JSON.parse(JSON.stringify(library.document)));
  const scan = served.paths['/api/v1/book/books/{book_id}/scan/'].post;
  expect(Object.keys(scan.responses)).toEqual([
    '204',
    '400',
    '401',
    '403',
    '404',
    '409',
    '500',
    '503',
    'default',
  ]);
  expect(scan.parameters[0]).toMatchObject({ name: 'book_id', in: 'path' });
  expect(served.tags).toContainEqual({ name: 'Scans' });
  expect((await new Validator().validate(served)).valid).toBe(true);
});
