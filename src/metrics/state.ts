// Metrics of the database, which all processes share: jobs, monitors, the outbox, sizes.

import { Gauge, type Registry } from 'prom-client';
import { countUnsealed } from '../audit/figures.ts';
import { countUnsent } from '../audit/stream/position.ts';
import type { Database } from '../database/database.ts';
import { acrossWorkspaces } from '../database/outside.ts';
import type { Connection } from '../database/rows.ts';
import { countJobs } from '../jobs/figures.ts';
import { useOfLimited } from '../limits/workspace-limits.ts';
import { countMonitors } from '../monitors/figures.ts';
import { countOutbox, countWebhooks } from '../notifications/figures.ts';
import { measureDatabase, measureSearch, measureTables } from '../resources/figures.ts';

/** What was read is reported again for so long: anybody may ask for it. */
const keptMs = 5_000;
/** A scrape does not wait longer for a database that does not answer. */
const patienceMs = 2_000;

const gauges = {
  headwater_jobs: ['Jobs that have not ended.', 'kind', 'state'],
  headwater_job_oldest_seconds: [
    'Since when the first of them was due (queued), made (waiting) or started (running).',
    'kind',
    'state',
  ],
  headwater_monitors: ['Monitors by status.', 'status'],
  headwater_monitors_due: ['Monitors whose instant has come and that no job has yet.'],
  headwater_monitors_late: ['Those of them that are late by more than a minute.'],
  headwater_monitor_lateness_seconds: ['How late the latest of them is.'],
  headwater_incidents_open: ['Incidents that are not resolved.'],
  headwater_outbox: ['Notifications that are to be delivered.', 'channel'],
  headwater_outbox_oldest_seconds: ['Since when the first of them waits.', 'channel'],
  headwater_audit_unsealed: ['Entries of the audit log that are not sealed yet, 10,000 at most.'],
  headwater_audit_unsealed_oldest_seconds: ['Since when the first of them is there; 0 for none.'],
  headwater_audit_unsent: ['Entries that the stream has not sent yet, 10,000 at most.'],
  headwater_audit_unsent_oldest_seconds: ['Since when the first of them is there; 0 for none.'],
  headwater_webhooks: ['Webhooks: enabled, paused for a while, or disabled.', 'state'],
  headwater_search_index_bytes: ['Size of an index of search.', 'field'],
  headwater_search_index_valid: ['1 where search may use the index.', 'field'],
  headwater_table_rows: ['Rows of a table, as the database estimates them.', 'table'],
  headwater_workspace_used: [
    'What a workspace with limits has: resources, monitors, writes of the minute, MB of storage.',
    'workspace',
    'what',
  ],
  headwater_workspace_limit: ['The most that it may have.', 'workspace', 'what'],
  headwater_database_bytes: ['What the database takes on the disk.'],
} as const satisfies Readonly<Record<string, readonly [help: string, ...labels: string[]]>>;

type Name = keyof typeof gauges;

/** One value of a gauge. */
type Sample = readonly [name: Name, value: number, labels?: Readonly<Record<string, string>>];

type State = Awaited<ReturnType<typeof readState>>;

/**
 * Report on the database in a registry. Call the answered function before each scrape: it reads what is to be
 * reported, and where the database does not answer nothing is reported but that.
 */
export function watchState(
  registry: Registry,
  database: Database,
  streamsAudit = false,
): () => Promise<void> {
  const show = createGauges(registry);
  const db = acrossWorkspaces(database);
  let reading: Promise<void> | null = null;
  let until = 0;
  const read = async () => {
    show(await readState(database, db, streamsAudit).catch(() => null));
    until = performance.now() + keptMs;
    reading = null;
  };
  return async () => {
    if (performance.now() < until) return;
    reading ??= read();
    const isLate = await Promise.race([reading.then(() => false), late()]);
    if (isLate) show(null);
  };
}

function late(): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(true), patienceMs).unref();
  });
}

/** One statement after the other: a scrape takes one connection. */
async function readState(database: Database, db: Connection, streamsAudit: boolean) {
  return {
    jobs: await countJobs(db),
    monitors: await countMonitors(db),
    outbox: await countOutbox(db),
    webhooks: await countWebhooks(db),
    unsealed: await countUnsealed(db),
    unsent: streamsAudit ? await countUnsent(db) : null,
    search: await measureSearch(db),
    tables: await measureTables(db),
    bytes: await measureDatabase(db),
    uses: await useOfLimited(database).read(),
  };
}

/** Make the gauges; answers what shows a state in them, or that there is none. */
function createGauges(registry: Registry): (state: State | null) => void {
  const made = new Map<string, Gauge>();
  for (const [name, [help, ...labelNames]] of Object.entries(gauges)) {
    made.set(name, new Gauge({ name, help, labelNames, registers: [registry] }));
  }
  const isUp = new Gauge({
    name: 'headwater_database_up',
    help: '1 where the database has answered this scrape; otherwise nothing is reported of it.',
    registers: [registry],
  });
  return (state) => {
    isUp.set(state ? 1 : 0);
    for (const gauge of made.values()) {
      gauge.reset();
      // One without labels would say 0.
      gauge.remove({});
    }
    for (const [name, value, labels] of state ? samplesOf(state) : []) {
      made.get(name)?.set(labels ?? {}, value);
    }
  };
}

function samplesOf(state: State): Sample[] {
  const { jobs, monitors, outbox, webhooks, unsealed, unsent, search, tables, bytes, uses } = state;
  return [
    ...jobs.flatMap(({ kind, state, count, oldestSeconds }): Sample[] => [
      ['headwater_jobs', count, { kind, state }],
      ['headwater_job_oldest_seconds', oldestSeconds, { kind, state }],
    ]),
    ...monitors.byStatus.map(
      ({ status, count }): Sample => ['headwater_monitors', count, { status }],
    ),
    ['headwater_monitors_due', monitors.due],
    ['headwater_monitors_late', monitors.late],
    ['headwater_monitor_lateness_seconds', monitors.latestSeconds],
    ['headwater_incidents_open', monitors.openIncidents],
    ...outbox.flatMap(({ channel, count, oldestSeconds }): Sample[] => [
      ['headwater_outbox', count, { channel }],
      ['headwater_outbox_oldest_seconds', oldestSeconds, { channel }],
    ]),
    ...Object.entries(webhooks).map(
      ([state, count]): Sample => ['headwater_webhooks', count, { state }],
    ),
    ['headwater_audit_unsealed', unsealed.count],
    ['headwater_audit_unsealed_oldest_seconds', unsealed.oldestSeconds],
    ...(unsent
      ? ([
          ['headwater_audit_unsent', unsent.count],
          ['headwater_audit_unsent_oldest_seconds', unsent.oldestSeconds],
        ] satisfies Sample[])
      : []),
    ...search.flatMap(({ field, size, isValid }): Sample[] => [
      ['headwater_search_index_bytes', size, { field }],
      ['headwater_search_index_valid', isValid ? 1 : 0, { field }],
    ]),
    ...tables.map(({ table, rows }): Sample => ['headwater_table_rows', rows, { table }]),
    ['headwater_database_bytes', bytes],
    ...uses.flatMap(({ workspaceId: workspace, what, used, most }): Sample[] => [
      ['headwater_workspace_used', used, { workspace, what }],
      ...(most === null
        ? []
        : ([['headwater_workspace_limit', most, { workspace, what }]] satisfies Sample[])),
    ]),
  ];
}
