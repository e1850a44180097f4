// What is made of changed schemas: one incident a table, which names its columns.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { type Incident, type Monitor, Prisma } from '../../generated/prisma/client.ts';
import { incidentColumns, ruleView } from '../incidents/record.ts';
import { decide } from '../incidents/rules.ts';
import type { Judged } from '../learning/range.ts';
import type { TableChanges } from '../scans/reading.ts';
import { changesInWords } from '../words.ts';
import { follow } from './follow.ts';
import { type Made, measurementOf } from './measurement-row.ts';
import { expectNewColumns } from './schema-changes.ts';
import { measuredStanding, type Standing } from './standing.ts';

/** Incidents that one run opens: a right that is taken away may change all tables at once. */
const mostOpened = 50;
/** Tables that a measurement names. */
const mostNamed = 5;

/** A monitor of schema changes with the tables that are not as it expects them. */
interface Taken {
  readonly monitor: Monitor;
  readonly judged: Judged;
  readonly changes: readonly TableChanges[];
  readonly jobId: string | null;
}

/** Open an incident for each changed table, go on with those that are open, and end those whose columns are back. */
export async function takeChanges(
  tx: Context,
  { monitor, judged, changes, jobId }: Taken,
  at: Date,
): Promise<{ measurement: Made; standing: Standing }> {
  const changed = new Map(changes.map((one) => [one.tableId, one]));
  const before = await incidentsOf(tx, monitor, [...changed.keys()]);
  const isOpen = (incident: Incident | undefined) =>
    incident !== undefined && incident.status !== 'resolved';
  const opening = [...changed.keys()].filter((id) => !isOpen(before.get(id)));
  const later = new Set(opening.slice(mostOpened));
  const warning =
    later.size === 0
      ? ''
      : `${later.size} more tables changed: their incidents open in later runs.`;
  const incidents: Incident[] = [];
  const isJudged = judged.maintenance === null;
  for (const tableId of isJudged ? new Set([...changed.keys(), ...before.keys()]) : []) {
    if (later.has(tableId)) continue;
    const table = { ...monitor, targetId: tableId };
    const incident = await takeTable(tx, table, before.get(tableId) ?? null, {
      ...{ change: changed.get(tableId), at },
    });
    if (incident) incidents.push(incident);
  }
  if (isJudged) await expectNewColumns(tx, monitor);
  const open = isJudged ? incidents : [...before.values()].filter(isOpen);
  const value = changes.length;
  const measurement = {
    ...measurementOf(monitor, { at, value }, judged, isJudged ? tablesInWords(changes) : null),
    incident_id: isJudged ? (open[0]?.id ?? null) : null,
    job_id: jobId,
  };
  const status = open.length > 0 ? 'incident' : 'normal';
  const left = { id: measurement.id, value, warning, incidentId: open[0]?.id ?? null, status };
  return { measurement, standing: measuredStanding(monitor, at, left) };
}

/** Do to the incident of one table what the rules say; the incident, if it is open after that. */
async function takeTable(
  tx: Context,
  table: Monitor,
  before: Incident | null,
  { change, at }: { readonly change: TableChanges | undefined; readonly at: Date },
): Promise<Incident | null> {
  const decision = decide(
    { isEnabled: table.isEnabled, incident: before && ruleView(before) },
    {
      ...{ type: 'measured', at: at.getTime(), value: change?.columns.length ?? 0 },
      ...{ verdict: change ? 'above' : 'within', isOverAfter: 1 },
    },
  );
  const name = change ? `${table.name}: ${change.table}` : table.name;
  const summary = change ? changesInWords(change.columns) : '';
  // What has changed since it was opened is what is so now.
  const standing = change && before && before.summary !== summary ? summary : null;
  const incident = await follow(tx, { ...table, name }, before, decision, { summary, standing });
  const after = decision.watch.incident;
  return after === null || after.status === 'resolved' ? null : incident;
}

/** The incidents of a monitor by their tables: the open or else latest of each that changed, and all that may change. */
async function incidentsOf(
  tx: Context,
  { id }: Monitor,
  changed: readonly string[],
): Promise<Map<string, Incident>> {
  const found = await rows<Incident>(
    tx,
    Prisma.sql`select distinct on (i.target_id) ${incidentColumns} from incident i
      where i.workspace_id = ${tx.workspaceId}::uuid and i.monitor_id = ${id}::uuid
        and (i.status <> 'resolved' or i.target_id = any(${[...changed]}::uuid[])
          or (i.resolve_reason = 'fixed' and i.good_runs < 3))
      order by i.target_id, (i.status = 'resolved'), i.created_at desc, i.id`,
  );
  return new Map(found.map((incident) => [incident.targetId, incident]));
}

function tablesInWords(changes: readonly TableChanges[]): string | null {
  if (changes.length === 0) return null;
  const named = changes.slice(0, mostNamed).map(({ table }) => table);
  const rest = changes.length - named.length;
  return `Changed: ${named.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}.`;
}
