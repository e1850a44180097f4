// In charge of what queries and paths may name of the catalog that is searched for dear requests.

import { randomUUID } from 'node:crypto';
import type { Filled } from './data.ts';
import { sizes, type Values } from './query.ts';

/** What arguments may be given, as GraphQL writes it. */
export function valuesOf({ tables, columns, schemas, monitors, many, one }: Filled): Values {
  const ids = (list: readonly string[]) => list.map(quoted);
  const lists = [`[${quoted(tables[2])}]`, `[${ids(many).join(', ')}]`];
  const anything = ids([...tables, ...columns, ...schemas, one.question]);
  const each = (names: readonly string[], values: readonly string[]) =>
    names.map((name): [string, readonly string[]] => [name, values]);
  return new Map([
    ...each(['first', 'last', 'pageSize'], sizes),
    ...each(['resource.id', 'parentId', 'targetId', 'resourceId', 'within'], anything),
    ...each(
      ['from', 'to', 'fromIds', 'toIds', 'resourceIds', 'columnIds', 'tableIds', 'of'],
      lists,
    ),
    ...each(['lineagePath.from', 'lineagePath.to'], ids(tables)),
    ...each(['monitor.id', 'monitorBacktest.id', 'monitorId'], ids(monitors)),
    ...each(['node.id'], [...anything, quoted(one.tag), quoted(one.team)]),
    ...each(['userId', 'assigneeId'], [quoted(one.user)]),
    ...each(['ownerIds'], [`[${quoted(one.user)}]`]),
    ...each(['tagIds'], [`[${quoted(one.tag)}]`]),
    ...each(['teamIds'], [`[${quoted(one.team)}]`]),
    ...Object.entries(one).flatMap(([name, id]) => each([`${name}.id`], [quoted(id)])),
    // What a viewer may not ask for, or is not there, is refused: that has to be cheap as well.
    ...each(['id', 'integrationId'], [quoted(randomUUID())]),
    ...Object.entries(others),
  ]);
}

/** An id for what a place in a path of REST is called, such as `tag_id`; a table's for any other. */
export function placesOf({ tables, columns, schemas, monitors, one }: Filled): Places {
  const known: Readonly<Record<string, string | undefined>> = {
    ...{ column_id: columns[0], schema_id: schemas[0], monitor_id: monitors[0], id: one.team },
    ...{ incident_id: one.incident, tag_id: one.tag, question_id: one.question },
    ...{ lineage_id: one.lineageEntry, user_id: one.user, group_id: one.group },
  };
  return (name) => known[name] ?? tables[0] ?? '';
}

/** What stands in a place of a path. */
export type Places = (name: string) => string;

const quoted = (id = '') => JSON.stringify(id);

const point = (n: number) =>
  `{ at: "${new Date(Date.UTC(2026, 0, 1, n)).toISOString()}", value: ${n} }`;

const words = ['x', 'y', 'z', 'q', 'every row', 'nothing'];
const wideWhere = `{ or: [${words.map((word) => `{ definition: { contains: "${word}" } }`).join(' ')}] }`;
/** Conditions and orders, by the type that arguments of their kind have. */
const typed: Readonly<Record<string, readonly string[]>> = {
  ResourceWhere: [
    wideWhere,
    '{ title: { contains: "a" } }',
    '{ tags: { some: { name: { contains: "tag" } } } }',
    '{ not: { owners: { some: { name: { contains: "a" } } } } }',
    '{ totalUsage: { gt: 10 }, description: { contains: "row" } }',
    '{ kind: { in: [table, column] }, stale: false }',
  ],
  ResourceOrderBy: [
    '[{ title: desc }]',
    '[{ totalUsage: desc }]',
    '[{ updatedAt: asc }]',
    '[{ internalUsage: desc }]',
  ],
  MonitorWhere: ['{ name: { contains: "Rows" } }', '{ target: { title: { contains: "a" } } }'],
  MonitorOrderBy: ['[{ name: asc }]', '[{ nextRunAt: desc }]'],
  IncidentWhere: [
    '{ name: { contains: "few" } }',
    '{ monitor: { target: { title: { contains: "a" } } } }',
  ],
  IncidentOrderBy: ['[{ name: asc }]', '[{ severity: desc }]'],
};

const contains = (value: string) =>
  `{ operator: contains, field: "definition", value: "${value}" }`;

const filters = [
  `{ operator: or, operands: [${['x', 'y', 'z', 'q'].map(contains).join(', ')}] }`,
  '{ operator: contains, field: "title_full", value: "a" }',
  '{ operator: exact, field: "type", value: "column" }',
];

const others: Readonly<Record<string, readonly string[]>> = {
  ...typed,
  page: ['1', '20', '100000'],
  depth: ['100', '10', '3'],
  maxNodes: ['10000', '2000', '100'],
  days: ['366', '30'],
  sensitivity: ['5', '10'],
  query: ['"customer"', '"custmoer ordr"', '"table_1"', '"a"'],
  search: ['"a"', '"tag"'],
  title: ['"a"', '"customer"', '"zzz"'],
  filter: filters,
  sort: ['[{ field: "title", order: asc }]', '[{ field: "total_usage", order: desc }]'],
  sql: [`"select ${'a.b, '.repeat(100)} a.c from a join b on a.i = b.i"`],
  dialect: ['"postgres"'],
  manifest: ['"{}"'],
  series: [`[${Array.from({ length: 100 }, (_, n) => point(n)).join(' ')}]`],
  since: ['"2020-01-01T00:00:00Z"'],
  asOf: ['"2100-01-01T00:00:00Z"'],
};
