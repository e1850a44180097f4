import { expect, test } from 'vitest';
import { envelope } from '../../src/rest/list-envelope.ts';

const url = new URL('https://a.test/api/v1/tag?title=x+y&page=2&page_size=10');
const results = [{ id: 1 }];
const list = (page: number, count: number, pageSize = 10) =>
  envelope('LIST', { count, results }, { page, pageSize, url });

test('a page in the middle has links to both sides, with the filters of the request', () => {
  expect(list(2, 25)).toEqual({
    links: {
      next: 'https://a.test/api/v1/tag?title=x+y&page=3&page_size=10',
      previous: 'https://a.test/api/v1/tag?title=x+y&page=1&page_size=10',
    },
    meta: { page: 2, previous_page: 1, next_page: 3 },
    count: 25,
    total_pages: 3,
    resource_totals: {},
    results,
  });
  expect(url.searchParams.get('page')).toBe('2');
});

test('the ends have null', () => {
  expect(list(1, 25)).toMatchObject({
    links: { previous: null },
    meta: { previous_page: null, next_page: 2 },
  });
  expect(list(3, 25)).toMatchObject({
    links: { next: null },
    meta: { previous_page: 2, next_page: null },
  });
  expect(list(1, 10)).toMatchObject({ total_pages: 1, links: { next: null, previous: null } });
  expect(list(1, 11)).toMatchObject({ total_pages: 2 });
});

test('an empty list has one page', () => {
  expect(list(1, 0)).toMatchObject({ count: 0, total_pages: 1, meta: { next_page: null } });
});

test('before a page past the end comes the last that has anything', () => {
  expect(list(9, 25)).toMatchObject({ meta: { page: 9, previous_page: 3, next_page: null } });
});

test('the audit log repeats its totals in meta', () => {
  const page = { page: 1, pageSize: 10, url };
  expect(envelope('AUDIT_LIST', { count: 25, results }, page)).toMatchObject({
    meta: { page: 1, previous_page: null, next_page: 2, count: 25, total_pages: 3 },
    count: 25,
    total_pages: 3,
    results,
  });
});

test('a log keeps its own fields, besides totals and meta, without links', () => {
  const page = { page: 1, pageSize: 10, url };
  expect(envelope('LOG', { count: 25, logs: results, versions: [] }, page)).toEqual({
    logs: results,
    versions: [],
    count: 25,
    total_pages: 3,
    meta: { page: 1, previous_page: null, next_page: 2, count: 25, total_pages: 3 },
  });
});
