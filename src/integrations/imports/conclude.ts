// What an import leaves behind next to what it wrote: its log, the audit log, new figures.

import { nameOf, record } from '../../audit/audit.ts';
import { changeOf } from '../../audit/changes.ts';
import type { Context } from '../../context.ts';
import { announce } from '../../database/announce.ts';
import { rows } from '../../database/rows.ts';
import { atLength, scratch } from '../../database/scratch.ts';
import { type Job, Prisma } from '../../generated/prisma/client.ts';
import type { ImportCounts, ImportOptions } from './options.ts';
import { takenInWords } from './planning/taken.ts';

/** What an import did. */
interface Concluded {
  readonly counts: ImportCounts;
  /** The job that reads lineage from SQL, where there is one. */
  readonly trace: Job | null;
  /** How many resources were named, by their kinds. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Id of its entry in the audit log. */
  readonly entry: string;
}

/** Say what was done, where people look for it; the last that the transaction of an import does. */
export async function conclude(
  tx: Context,
  options: ImportOptions,
  { counts, trace, kinds, entry }: Concluded,
): Promise<void> {
  const { integration, title, watch } = options;
  const { id, name } = integration;
  await record(tx, {
    id: entry,
    activity: 'integration_synced',
    subject: { id, kind: 'integration', title: name, integrationId: id },
    changes: [changeOf('import', null, counts)],
    says:
      `${nameOf(tx.viewer)} ran an import into ${name} (${title}): ${counts.created} resources ` +
      `created, ${counts.updated} updated, ${counts.staled} stale, ${counts.unchanged} unchanged`,
  });
  const { created, updated, staled } = counts;
  if (created + updated + staled > 0) await announce(tx, 'resource');
  for (const line of inWords(counts, false)) watch.log(line);
  if (trace) watch.log(`Column lineage is read from the SQL of its tables by the job ${trace.id}.`);
  await rows(
    tx,
    Prisma.sql`update integration i set scheduled_extractions_last_run = ${tx.now()}::timestamptz
      where i.workspace_id = ${tx.workspaceId}::uuid and i.id = ${id}::uuid`,
  );
  await watch.finish?.(tx, { ...counts, kinds, lineageJobId: trace?.id ?? null }, trace);
}

/** Rows from which on it is worth a statement each that the database looks again at what there is. */
const manyRows = 1_000;

/**
 * Without new figures the database would go on planning as if the catalog were as small as before.
 * Where somebody else makes them at this moment, they are left to them.
 */
export async function refreshFigures(ctx: Context, counts: ImportCounts): Promise<void> {
  const { created, updated, staled, lineage } = counts;
  if (created + updated + staled > manyRows) await flushPending(ctx);
  const grown = [
    ...(created > manyRows ? ['resource'] : []),
    ...(lineage.created > manyRows ? ['lineage_edge'] : []),
  ];
  for (const table of grown) {
    await atLength(ctx, (tx) => scratch(tx, `analyze (skip_locked) ${table}`));
  }
}

/**
 * Put into the indexes of lists and words what PostgreSQL keeps in a list besides each until it has time. While
 * that is long it reads whole tables instead, which are minutes until autovacuum comes. Only the owner of an index may:
 * the role that requests run as under a superuser leaves it to autovacuum.
 */
async function flushPending(ctx: Context): Promise<void> {
  await atLength(ctx, (tx) =>
    scratch(
      tx,
      `select gin_clean_pending_list(c.oid) from pg_catalog.pg_index i
        join pg_catalog.pg_class c on c.oid = i.indexrelid
        join pg_catalog.pg_am a on a.oid = c.relam and a.amname = 'gin'
        where i.indrelid in ('resource'::regclass, 'title_word'::regclass, 'search_document'::regclass)
          and pg_catalog.pg_has_role(c.relowner, 'USAGE')`,
    ),
  );
}

/** What an import did, or would do, in lines for its log. */
export function inWords(counts: ImportCounts, dryRun: boolean): string[] {
  const { taken, lineage, tests, monitors, ...resources } = counts;
  const said = (what: string, parts: Readonly<Record<string, number>>) => {
    const list = Object.entries(parts).map(([word, number]) => `${number} ${word}`);
    return `${dryRun ? 'Would be done. ' : ''}${what}: ${list.join(', ')}.`;
  };
  const isAny = (parts: object) => Object.values(parts).some((number) => number > 0);
  const { created, updated, staled, unchanged } = resources;
  const lines = [
    said('Resources', { created, updated, stale: staled, unchanged }),
    ...takenInWords(taken),
  ];
  if (isAny(lineage)) {
    const { created, ended, unchanged, unknown } = lineage;
    const pointless = { 'lines that point at nothing known': unknown };
    lines.push(said('Lineage', { created, ended, unchanged, ...pointless }));
  }
  if (isAny(tests)) {
    const { created, updated, staled, unchanged, results } = tests;
    const all = { created, updated, stale: staled, unchanged, 'results of runs': results };
    lines.push(said('Tests', all));
  }
  if (isAny(monitors)) {
    const { created, updated, removed, unchanged, waiting } = monitors;
    lines.push(said('Monitors', { created, updated, removed, unchanged, waiting }));
  }
  return lines;
}
