// A server that speaks Metabase's REST interface as two of its versions do, over a shop's questions and dashboards.

import type { Answer, Asked } from '../connectors/http-fake.ts';

export type MetabaseVersion = 'v0.47.1' | 'v0.57.2';
export const apiKey = 'mb_key-of-the-group';

/** A query over a table, in the form of each version. */
const overTable = {
  'v0.47.1': {
    ...{ type: 'query', database: 1 },
    query: {
      'source-table': 12,
      breakout: [['field', 121, null]],
      aggregation: [['sum', ['field-id', 122]]],
    },
  },
  'v0.57.2': {
    ...{ 'lib/type': 'mbql/query', database: 1 },
    stages: [
      {
        ...{ 'lib/type': 'mbql.stage/mbql', 'source-table': 12 },
        breakout: [['field', { 'lib/uuid': 'u' }, 121]],
        aggregation: [['sum', { 'lib/uuid': 'u' }, ['field', { 'lib/uuid': 'u' }, 122]]],
      },
    ],
  },
};
const native = (version: MetabaseVersion, sql: string) =>
  version === 'v0.47.1'
    ? { type: 'native', database: 1, native: { query: sql, 'template-tags': {} } }
    : { database: 1, stages: [{ 'lib/type': 'mbql.stage/native', native: sql }] };

function cardsOf(version: MetabaseVersion) {
  const one = (id: number, name: string, query: object, more: object = {}) => ({
    ...{ id, name, archived: false, database_id: 1, collection_id: 7, dataset_query: query },
    ...{ display: 'bar', view_count: id, updated_at: '2026-03-01T10:00:00Z', ...more },
  });
  const sql = 'select id, total from sales.daily where {{day}} [[and total > {{least}}]]';
  const onCard = { type: 'query', database: 1, query: { 'source-table': 'card__1' } };
  return [
    one(1, 'Amount by day', overTable[version]),
    one(2, 'Totals', native(version, sql)),
    one(3, 'On top', version === 'v0.47.1' ? onCard : { stages: [{ 'source-card': 1 }] }),
    one(4, 'In a circle', { query: { 'source-table': 'card__5' } }),
    one(5, 'In a circle, too', { query: { 'source-table': 'card__4' } }, { type: 'model' }),
    one(6, 'Unreadable', native(version, 'select from where (')),
    one(7, 'Archived', overTable[version], { archived: true }),
    one(8, 'Of somebody', overTable[version], { collection_id: 9 }),
  ];
}

/** The server: how many dashboards its collection has, and which of them is hidden. */
export function metabaseServer(version: MetabaseVersion, dashboards = 130, hidden = 3) {
  const all = Array.from({ length: dashboards }, (_, at) => at + 1);
  return ({ method, url, headers, body }: Asked): Answer => {
    const path = url.pathname.replace('/base/api/', '');
    if (path === 'session' && method === 'POST') {
      const { username, password } = JSON.parse(body);
      const isKnown = username === 'reader' && password === 'hush-hush';
      return isKnown ? { body: { id: 'session-of-the-reader' } } : { status: 401 };
    }
    const isIn =
      headers['x-api-key'] === apiKey || headers['x-metabase-session'] === 'session-of-the-reader';
    if (!isIn) return { status: 401, body: 'Unauthenticated' };
    if (path === 'session/properties') return { body: { version: { tag: version } } };
    if (path === 'database') {
      const list = [{ id: 1, engine: 'postgres', details: { dbname: 'shop' }, later: true }];
      return { body: version === 'v0.47.1' ? list : { data: list, total: 1 } };
    }
    if (path === 'card') return { body: cardsOf(version) };
    if (path === 'collection') {
      return {
        body: [
          { id: 'root', name: 'Our analytics' },
          { id: 7, name: 'Sales' },
          { id: 8, name: 'Old', archived: true },
          { id: 9, name: 'Anna', personal_owner_id: 4 },
        ],
      };
    }
    if (path === 'collection/root/items') return { body: { data: [], total: 0 } };
    if (path === 'collection/7/items') {
      const [from, most] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name)));
      const page = all.slice(from, (from ?? 0) + (most ?? 0));
      return { body: { data: page.map((id) => ({ id, model: 'dashboard' })), total: all.length } };
    }
    const dashboard = Number(/^dashboard\/(\d+)$/.exec(path)?.[1]);
    if (dashboard === hidden) return { status: 403, body: `You don't have permissions` };
    if (dashboard) {
      const shown = dashboard < 3 ? [{ card_id: 1, series: [{ id: 2 }] }, { card_id: null }] : [];
      const cards = version === 'v0.47.1' ? { ordered_cards: shown } : { dashcards: shown };
      return { body: { id: dashboard, name: `Board ${dashboard}`, ...cards } };
    }
    if (path === 'table/12/query_metadata') {
      const fields = [
        { id: 121, name: 'placed_at' },
        { id: 122, name: 'amount' },
        { id: 123, name: 'other' },
      ];
      return { body: { id: 12, db_id: 1, schema: 'sales', name: 'orders', fields } };
    }
    return { status: 404, body: 'Not found.' };
  };
}
