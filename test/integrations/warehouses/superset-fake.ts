// A server that speaks Superset's REST interface as it is documented, over two databases, five datasets, charts and dashboards.

import { type Answer, type Asked, type HttpFake, startFake } from '../connectors/http-fake.ts';

export interface SupersetFake extends AsyncDisposable {
  readonly http: HttpFake;
  /** An answer in place of the server's own; undefined for that. */
  fault: (asked: Asked) => Answer | undefined;
  tokens: number;
  /** Whether charts say on which dashboards they are shown, as versions since 2.1 do. */
  isNew: boolean;
  /** What the role may not read. */
  hidden: RegExp | null;
  /** Charts besides those of the shop. */
  more: number;
}

const people = [
  { id: 1, first_name: 'Anna', last_name: 'Berg', email: 'anna@example.com' },
  { id: 2, first_name: 'Ben', last_name: 'Cole' },
];
const sales = {
  database: { id: 1, database_name: 'Shop', backend: 'postgresql' },
  schema: 'sales',
};
const column = (column_name: string, expression: string | null = null, type = 'NUMERIC') => ({
  ...{ column_name, expression, type, description: column_name === 'amount' ? 'Net' : null },
});

const datasets = [
  {
    ...{ id: 1, table_name: 'orders', kind: 'physical', sql: null, owners: people, ...sales },
    ...{ description: 'One row an order', changed_on: '2026-03-01T10:00:00' },
    columns: [column('id'), column('amount'), column('placed_at'), column('twice', 'amount * 2')],
    metrics: [
      { metric_name: 'revenue', expression: 'SUM(amount)' },
      { metric_name: 'count', expression: 'COUNT(*)' },
    ],
  },
  {
    ...{ id: 2, table_name: 'per day', kind: 'virtual', ...sales },
    sql: "select day, sum(total) as total from daily where day > {{ from_dttm or '2026-01-01' }} group by 1",
    ...{ columns: [column('day'), column('total')], metrics: [] },
  },
  {
    ...{
      id: 3,
      table_name: 'all days',
      kind: 'virtual',
      sql: 'select * from sales.daily',
      ...sales,
    },
    ...{ columns: [column('day'), column('total')], metrics: [] },
  },
  {
    ...{ id: 4, table_name: 'unreadable', kind: 'virtual', sql: 'select from where (', ...sales },
    ...{ columns: [], metrics: [] },
  },
  {
    ...{ id: 5, table_name: 'visits', kind: 'physical', sql: '', schema: null, columns: [] },
    ...{ database: { id: 2, database_name: 'Till', backend: 'mysql' }, metrics: [] },
  },
];

const databases = [
  {
    id: 1,
    database_name: 'Shop',
    backend: 'postgresql',
    sqlalchemy_uri: 'postgresql+psycopg2://r:XXXXXXXXXX@db:5432/shop',
  },
  {
    id: 2,
    database_name: 'Till',
    backend: 'mysql',
    sqlalchemy_uri: 'mysql://r:XXXXXXXXXX@till/web?charset=utf8',
  },
];

const adhoc = (sqlExpression: string) => ({ expressionType: 'SQL', sqlExpression, label: 'own' });
const charts = [
  {
    ...{ id: 1, slice_name: 'Revenue', viz_type: 'line', datasource_id: 1, dashboards: [2, 1] },
    ...{ owners: people, certified_by: 'Finance', description: 'By day' },
    params: { x_axis: 'placed_at', metrics: ['revenue'], groupby: [], row_limit: 1_000 },
  },
  {
    ...{ id: 2, slice_name: 'Orders', viz_type: 'table', datasource_id: 1, dashboards: [1] },
    params: {
      ...{ all_columns: ['id'], order_by_cols: ['["twice", false]'], viz: { color: 'amount' } },
      adhoc_filters: [
        { expressionType: 'SIMPLE', subject: 'placed_at', operator: '>', comparator: 'amount' },
      ],
    },
  },
  {
    ...{ id: 3, slice_name: 'Own', viz_type: 'pie', datasource_id: 2, dashboards: [] },
    params: { metric: adhoc('max(total)'), adhoc_filters: [adhoc("day <> 'total'")] },
  },
];

const dashboards = [
  { id: 1, dashboard_title: 'Sales', status: 'published', owners: [people[0]] },
  { id: 2, dashboard_title: 'Board', status: 'draft', editors: [{ id: 9, label: 'Ben Cole' }] },
];

/** The columns that each list may be sorted by. */
const orders: Readonly<Record<string, string>> = {
  ...{ chart: 'slice_name', dashboard: 'dashboard_title' },
  ...{ dataset: 'table_name', database: 'database_name' },
};
/** The server's own bound, whatever is asked for. */
const pageCap = 20;

/** Start one. */
export async function startSuperset(): Promise<SupersetFake> {
  const state: SupersetFake = {
    http: await startFake((asked) => state.fault(asked) ?? answer(asked)),
    ...{ fault: () => undefined, tokens: 0, isNew: true, hidden: null, more: 0 },
    [Symbol.asyncDispose]: () => state.http[Symbol.asyncDispose](),
  };

  function answer({ method, url, headers, body }: Asked): Answer {
    const path = url.pathname.replace('/bi/api/v1/', '');
    if (path === 'security/login' && method === 'POST') return login(JSON.parse(body));
    if (headers.authorization !== `Bearer token-${state.tokens}-of-the-reader`) {
      return { status: 401, body: { msg: 'Token has expired' } };
    }
    if (state.hidden?.test(path)) return { status: 403, body: { message: 'Forbidden' } };
    const [, what = '', id, tail] = /^(\w+)\/(?:(\d+)(\/charts)?)?$/.exec(path) ?? [];
    if (tail && what === 'dashboard') return { body: { result: shownOn(Number(id)) } };
    const all = rowsOf(what);
    if (!all || method !== 'GET') return { status: 404, body: { message: 'Not found' } };
    if (id === undefined) return page(what, all, url.searchParams.get('q') ?? '');
    const found = all.find((one) => one.id === Number(id));
    return found
      ? { body: { id: found.id, result: found } }
      : { status: 404, body: { message: 'Not found' } };
  }

  function login(sent: Readonly<Record<string, unknown>>): Answer {
    const isRight =
      sent.username === 'reader' && sent.password === 'hush-hush' && sent.provider === 'db';
    if (!isRight) return { status: 401, body: { message: 'Not authorized' } };
    state.tokens += 1;
    return { body: { access_token: `token-${state.tokens}-of-the-reader` } };
  }

  function rowsOf(what: string): readonly { readonly id: number }[] | null {
    if (what === 'chart') return chartRows();
    return { dashboard: dashboards, dataset: datasets, database: databases }[what] ?? null;
  }

  function chartRows() {
    const others = Array.from({ length: state.more }, (_, at) => ({
      ...{ id: 100 + at, slice_name: `Chart ${at}`, viz_type: 'bar', datasource_id: 5 },
      ...{ params: {}, dashboards: [] },
    }));
    return [...charts, ...others].map(({ params, dashboards: on, ...one }) => ({
      ...{ ...one, datasource_type: 'table', params: JSON.stringify(params) },
      changed_on_utc: '2026-03-02T10:00:00+0000',
      ...(state.isNew ? { dashboards: on.map((id) => ({ id, dashboard_title: 'x' })) } : {}),
    }));
  }

  const shownOn = (id: number) =>
    charts
      .filter((one) => one.dashboards.some((on) => on === id))
      .map((one) => ({ form_data: { slice_id: one.id }, slice_name: one.slice_name }));
  return state;
}

/** A page of a list, as the server cuts it; what is asked for is written in rison. */
function page(what: string, all: readonly { readonly id: number }[], q: string): Answer {
  const [, order, at, size] =
    /^\((?:order_column:(\w+),order_direction:asc,)?page:(\d+),page_size:(\d+)\)$/.exec(q) ?? [];
  if (at === undefined || (order !== undefined && order !== orders[what])) {
    return { status: 400, body: { message: `Not a valid rison/json argument: ${q}` } };
  }
  const length = Math.min(Number(size), pageCap);
  const result = all.slice(Number(at) * length, (Number(at) + 1) * length);
  return { body: { count: all.length, ids: result.map(({ id }) => id), result } };
}
