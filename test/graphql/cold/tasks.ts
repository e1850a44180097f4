// Tasks of a newcomer, with the operations that one writes for them who has read schema.graphql and nothing else.

/** A task, as somebody says it, the operation, and what its answer has to show. */
export interface Task {
  readonly task: string;
  readonly query: string;
  /** Names of variables, and the full names of the resources whose ids they are. */
  readonly of?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Text of the answer, parts of which are there. */
  readonly shows: readonly (string | RegExp)[];
}

const orders = 'analytics.core.fct_orders';

export const tasks: readonly Task[] = [
  {
    task: 'tables of a group with failing tests',
    query: `{ resources(where: {
      kind: { eq: table }, hasFailingTest: true,
      ownerGroups: { some: { name: { eq: "Data platform" } } } }) {
      totalCount nodes { titleFull ... on Table { dataTests { name status message } } } } }`,
    shows: ['"status":"fail"', 'analytics.'],
  },
  {
    task: 'tag all columns like email as PII, without doing it yet',
    query: `mutation ($tag: ID!) { updateResources(
      where: { kind: { eq: column }, title: { contains: "email" } },
      input: { addTagIds: [$tag], pii: true }, dryRun: true) { matched updated failed { id message } } }`,
    variables: { tag: 'tag pii' },
    shows: [/"matched":[1-9]/, '"failed":[]'],
  },
  {
    task: 'columns of a table with where they come from and go to',
    of: { id: orders },
    query: `query ($id: ID!) { resource(id: $id) { ... on Table { columns(first: 100) {
      title type upstream { titleFull } downstream { titleFull } } } } }`,
    shows: ['"upstream":[{', '"downstream":[{'],
  },
  {
    task: 'columns that nothing reads',
    query: `{ resources(first: 50, where: { kind: { eq: column }, hasDownstream: false }) {
      totalCount nodes { titleFull } } }`,
    shows: [/"totalCount":[1-9]/],
  },
  {
    task: 'columns of a type, wherever they are',
    query: `{ resources(first: 50, where: { kind: { eq: column }, type: { contains: "timestamp" } }) {
      totalCount nodes { titleFull ... on Column { type } } } }`,
    shows: [/"totalCount":[1-9]/, 'timestamp'],
  },
  {
    task: 'open incidents with what was measured',
    query: `{ incidents(isOpen: true, first: 10) { nodes {
      name summary severity status target { titleFull }
      measurements(first: 5) { nodes { createdAt value lowerThreshold upperThreshold } } } } }`,
    shows: ['"value":', '"lowerThreshold":'],
  },
  {
    task: 'what breaks if a table goes, and who has to be asked',
    of: { id: 'analytics.raw_shop.orders' },
    query: `query ($id: ID!) { impact(of: [$id]) {
      counts { kind count } columns { resource { titleFull } reason } tables { resource { titleFull } }
      others { resource { kind titleFull } } owners { user { name email } count } } }`,
    shows: ['"reason":', '"owners":[{'],
  },
  {
    task: 'who owns a table, or else its schema',
    of: { id: orders },
    query: `query ($id: ID!) { resource(id: $id) { owners { name email } ownerGroups { name }
      teams { name } parent { titleFull owners { name } ownerGroups { name } } } }`,
    shows: ['"name":"', 'analytics.core'],
  },
  {
    task: 'a table by its name, with its last load and tests',
    query: `{ resourceByName(titleFull: "${orders}", kind: table) { id externalUpdatedAt ... on Table {
      rowCount lastRun { completedAt status } dataTests { name status } } } }`,
    shows: ['"dataTests":[{', '"status":"'],
  },
  {
    task: 'tables without a description or an owner, the most used first',
    query: `{ resources(first: 20, orderBy: [{ totalUsage: desc }], where: { kind: { eq: table },
      or: [{ description: { isSet: false } }, { owners: { isSet: false } }] }) {
      totalCount nodes { titleFull totalUsage description owners { name } } } }`,
    shows: [/"totalCount":[1-9]/],
  },
  {
    task: 'columns with personal data that lack the tag',
    query: `{ resources(where: { kind: { eq: column }, pii: true,
      tags: { none: { name: { eq: "pii" } } } }) { totalCount nodes { titleFull tags { name } } } }`,
    shows: ['"totalCount":'],
  },
  {
    task: 'tables whose rows are kept for a year',
    query: `query ($retention: ID!) { resources(where: { customProperties: {
      propertyId: $retention, value: { eq: "1 year" } } }) {
      nodes { titleFull customProperties { property { name } value } } } }`,
    variables: { retention: 'property Retention' },
    shows: ['crm.marketing.email_events', '1 year'],
  },
  {
    task: 'monitors that are in trouble, why, and who is told',
    query: `{ monitors(where: { status: { in: [error, incident] } }) { nodes {
      name status lastErrorMessage target { titleFull } lastIncident { summary reasons }
      recipients { channel user { name } } } } }`,
    shows: ['"reasons":[', '"recipients":'],
  },
  {
    task: 'dashboards that a table feeds, at any distance',
    of: { id: orders },
    query: `query ($id: ID!) { lineage(from: [$id], direction: DOWNSTREAM, depth: 20, kinds: [dashboard]) {
      nodes { depth resource { titleFull owners { name } } } truncated } }`,
    shows: [/"depth":[1-9]/],
  },
  {
    task: 'saved queries that read a table, with their SQL',
    of: { id: orders },
    query: `query ($id: ID!) { lineage(from: [$id], direction: DOWNSTREAM, depth: 1, kinds: [query]) {
      nodes { depth resource { title ... on QueryResource { sql dialect } } } } }`,
    shows: ['"depth":0'],
  },
  {
    task: 'questions that no one has answered, with their replies',
    query: `{ resources(where: { kind: { eq: question }, questionStatus: { eq: Unanswered } }) {
      nodes { title ... on Question { priority assignedTo { name } replies { definition createdBy { name } } } } } }`,
    shows: ['"replies":'],
  },
  {
    task: 'who changed a table, what, and when',
    of: { id: orders },
    query: `query ($id: ID!) { auditLogs(first: 10, where: { resourceId: { eq: $id } }) { nodes {
      createdAt performer { name } activityType changes { field before after } } } }`,
    shows: ['"nodes":'],
  },
  {
    task: 'what a word means here',
    query: `{ search(query: "revenue", kinds: [glossary]) { totalCount nodes {
      resource { title description definition url } highlights { field } } } }`,
    shows: [/"totalCount":[1-9]/, 'evenue'],
  },
  {
    task: 'sources, when each was last read, and whether that failed',
    query: `{ integrations { nodes { name type lastSync { state completedAt lastError }
      monitors { totalCount } resources(where: { kind: { eq: table } }) { totalCount } } } }`,
    shows: ['Warehouse', '"lastSync":'],
  },
  {
    task: 'watch the rows of a table every morning',
    of: { id: orders },
    query: `mutation ($id: ID!) { createMonitor(input: { targetId: $id, metricType: row_count,
      schedule: { cadence: daily, hour: 6 } }) { id name status nextRunAt schedule { cadence hour } } }`,
    shows: ['"hour":6'],
  },
  {
    task: 'how well each team documents what it holds',
    query: `{ coverage(where: { kind: { eq: table } }) { total owned by(group: team) {
      label total owned described documented tagged } } }`,
    shows: ['"label":"Finance"'],
  },
  {
    task: 'how data gets from one table to another',
    of: { from: 'shop.public.orders', to: orders },
    query: `query ($from: ID!, $to: ID!) { lineagePath(from: $from, to: $to) { kind titleFull } }`,
    shows: ['shop.public.orders', orders],
  },
  {
    task: 'what I own, follow and have marked',
    query: `{ viewer { name owned { totalCount } subscribed { nodes { title } } bookmarks { nodes { title } }
      recent { nodes { title } } } }`,
    shows: ['"owned":'],
  },
  {
    task: 'where the columns of a statement come from, before it is run',
    query: `{ lineageFromQuery(sql: "select sum(order_total) as total from analytics.core.fct_orders",
      dialect: "snowflake") { sourceTables { name resource { titleFull } }
      columnLineages { fromColumn { title } toColumn { title } } } }`,
    shows: ['fct_orders'],
  },
];
