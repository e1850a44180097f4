// Metrics of the process other than requests: connections, statements, jobs, deliveries.

import { Counter, Gauge, type Registry } from 'prom-client';
import { connectionPlaces } from '../database/connections/limits.ts';
import type { Database } from '../database/database.ts';
import type { Replica } from '../database/replica.ts';
import { endedRuns } from '../jobs/figures.ts';
import { graphFigures } from '../lineage/memory/kept.ts';
import { deliveries } from '../notifications/figures.ts';
import { signIns } from '../sign-in/figures.ts';

/** Report on this process at each scrape. */
export function watchProcess(registry: Registry, database: Database): void {
  watchPool(registry, database);
  watchStatements(registry, database);
  watchJobs(registry, database);
  watchLineage(registry, database);
  watchSignIns(registry, database);
  if (database.replica) watchReplica(registry, database.replica);
}

/** Report on the log, which may lie on a disk without room. */
export function watchLog(registry: Registry, droppedLines: () => number): void {
  new Counter({
    name: 'headwater_log_lines_dropped_total',
    help: 'Lines of the log that could not be written.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(droppedLines());
    },
  });
}

function watchPool(registry: Registry, { pool }: Database): void {
  new Gauge({
    name: 'headwater_database_connections',
    help: 'Connections of this process to the database: idle, busy, and how many there may be (max).',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'max' }, pool.options.max);
    },
  });
  new Gauge({
    name: 'headwater_database_waiting',
    help: 'Statements that wait for a connection.',
    registers: [registry],
    collect() {
      this.set(pool.waitingCount);
    },
  });
  new Gauge({
    name: 'headwater_database_places',
    help: 'Transactions and imports that are let in at once: taken, waiting in line, and max.',
    labelNames: ['of', 'state'],
    registers: [registry],
    collect() {
      for (const [of, lane] of Object.entries(connectionPlaces(pool))) {
        this.set({ of, state: 'taken' }, lane.taken);
        this.set({ of, state: 'waiting' }, lane.waiting);
        this.set({ of, state: 'max' }, lane.places);
      }
    },
  });
}

function watchStatements(registry: Registry, { figures }: Database): void {
  const counter = (name: string, help: string, value: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  counter(
    'headwater_database_statements_total',
    'Statements that this process sent.',
    () => figures.statements,
  );
  counter(
    'headwater_database_statement_seconds_total',
    'How long it waited for their answers, on all connections together.',
    () => figures.ms / 1_000,
  );
  counter(
    'headwater_database_slow_statements_total',
    'Statements that took longer than SLOW_STATEMENT_MS.',
    () => figures.slow,
  );
}

function watchLineage(registry: Registry, database: Database): void {
  for (const what of ['graphs', 'nodes', 'edges', 'bytes'] as const) {
    new Gauge({
      name: `headwater_lineage_memory_${what}`,
      help: `Lineage that this process keeps in memory: ${what}.`,
      registers: [registry],
      collect() {
        this.set(graphFigures(database)[what]);
      },
    });
  }
  const counter = <End extends 'served' | 'missed' | 'loaded' | 'renewed' | 'failed' | 'dropped'>(
    name: string,
    help: string,
    ends: readonly End[],
  ) =>
    new Counter({
      name,
      help,
      labelNames: ['end'],
      registers: [registry],
      collect() {
        this.reset();
        const figures = graphFigures(database);
        for (const end of ends) this.inc({ end }, figures[end]);
      },
    });
  counter(
    'headwater_lineage_memory_reads_total',
    'Reads of lineage that memory served, or missed, so that the database answered.',
    ['served', 'missed'],
  );
  counter(
    'headwater_lineage_memory_loads_total',
    'Graphs that were loaded into memory, renewed by what had changed, failed to be, or were dropped.',
    ['loaded', 'renewed', 'failed', 'dropped'],
  );
}

function watchSignIns(registry: Registry, database: Database): void {
  new Counter({
    name: 'headwater_sign_ins_total',
    help: 'People who signed in on this process, or were refused, by provider and by how it ended.',
    labelNames: ['method', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { method, outcome, count } of signIns(database))
        this.inc({ method, outcome }, count);
    },
  });
}

function watchReplica(registry: Registry, replica: Replica): void {
  new Gauge({
    name: 'headwater_replica_age_seconds',
    help: 'How old the data of the replica is; +Inf where that is not known.',
    registers: [registry],
    collect() {
      this.set(replica.ageMs() / 1_000);
    },
  });
  new Counter({
    name: 'headwater_replica_statements_total',
    help: 'Reads that the replica served, or failed to serve, which the server itself then did.',
    labelNames: ['end'],
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ end: 'served' }, replica.figures.served);
      this.inc({ end: 'failed' }, replica.figures.failed);
    },
  });
}

function watchJobs(registry: Registry, database: Database): void {
  new Counter({
    name: 'headwater_job_runs_total',
    help: 'Runs of jobs that ended on this process, by kind and by how they ended.',
    labelNames: ['kind', 'end'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { kind, end, count } of endedRuns(database)) this.inc({ kind, end }, count);
    },
  });
  new Counter({
    name: 'headwater_job_run_seconds_total',
    help: 'How long those runs took together.',
    labelNames: ['kind', 'end'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { kind, end, seconds } of endedRuns(database)) this.inc({ kind, end }, seconds);
    },
  });
  new Counter({
    name: 'headwater_deliveries_total',
    help: 'Attempts of this process to deliver notifications: delivered, again, failed, skipped.',
    labelNames: ['channel', 'end'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { channel, end, count } of deliveries(database)) this.inc({ channel, end }, count);
    },
  });
}
