// Monitors as code: the current ones as YAML, to be kept where the models are.

import { stringify } from 'yaml';
import { nameOf, record } from '../../audit/audit.ts';
import { type Context, contextFor } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { notFound } from '../../errors.ts';
import { type Monitor, Prisma } from '../../generated/prisma/client.ts';
import { type WorkspaceSettings, workspaceSettings } from '../../people/workspace-settings.ts';
import { isUuid } from '../../text/uuid.ts';
import { readStoredConfig } from '../metric-config.ts';
import { scheduleOf } from '../monitor-schedule.ts';
import { monitorColumns, monitorsSeen } from '../seen.ts';

/** Monitors in one text; more are cut off, and the text says so. */
const most = 10_000;

/**
 * The monitors that the viewer may see as YAML: under each table, by its full title, those on it and
 * on its columns. Those of whole schemas and databases, and comparisons, are left out, for a project declares none. Fields have the names of the REST API; what is by default is left out.
 */
export async function monitorsAsYaml(
  ctx: Context,
  integrationId: string | null = null,
): Promise<string> {
  if (integrationId !== null && !isUuid(integrationId)) throw notFound('Integration');
  const found = await rows<Monitor & { table: string; column: string | null }>(
    ctx,
    Prisma.sql`select ${monitorColumns}, case when r.kind = 'column' then r.title end as "column",
        coalesce(t.title_full, r.title_full) as "table"
      from ${monitorsSeen(ctx)}
      left join resource t on t.workspace_id = r.workspace_id and t.id = r.parent_id
        and r.kind = 'column'
      where m.workspace_id = ${ctx.workspaceId}::uuid and m.undeclared_at is null
        and r.kind not in ('schema', 'database') and m.metric_type <> 'comparison'
        and (${integrationId}::uuid is null or m.integration_id = ${integrationId}::uuid)
      order by coalesce(t.title_full, r.title_full), (r.kind = 'column'),
        r.sort_order, r.title, m.name, m.id limit ${most + 1}`,
  );
  const usual = await workspaceSettings(ctx);
  const tables = new Map<string, object[]>();
  for (const { table, column, ...monitor } of found.slice(0, most)) {
    const known = tables.get(table);
    const described = describe(monitor, column, usual);
    if (known) known.push(described);
    else tables.set(table, [described]);
  }
  const shown = Math.min(found.length, most);
  // A write alongside a read: wherever that one goes, this goes to the log.
  const { database, viewer, now, requestId, clientAddress, credential } = ctx;
  await record(contextFor(database, viewer, { now, requestId, clientAddress, credential }), {
    activity: 'monitors_exported',
    says: `${nameOf(ctx.viewer)} exported ${shown === 1 ? 'a monitor' : `${shown} monitors`} as YAML`,
  });
  const note = found.length > most ? `# Only the first ${most} monitors are shown.\n` : '';
  return note + (await writeInTurns(ctx, tables));
}

/** Fields of an answer that take as long to build as a monitor takes to be written. */
const fieldsPerMonitor = 50;
const heading = 'tables:\n';

/** The text of all tables, one after the other: all at once would keep others waiting. */
async function writeInTurns(
  { allowance }: Context,
  tables: ReadonlyMap<string, readonly object[]>,
): Promise<string> {
  if (tables.size === 0) return write({ version: 1, tables: [] });
  const parts = [write({ version: 1 }), heading];
  for (const [table, monitors] of tables) {
    const wait = allowance?.scheduler?.spend(monitors.length * fieldsPerMonitor);
    if (wait) await wait;
    parts.push(write({ tables: [{ table, monitors }] }).slice(heading.length));
  }
  return parts.join('');
}

const write = (value: object) => stringify(value, { lineWidth: 100 });

function describe(monitor: Monitor, column: string | null, usual: WorkspaceSettings): object {
  const config = readStoredConfig(monitor.metricConfig);
  const { conditionAutoSensitivity: sensitivity } = monitor;
  const { conditionManualMin: min, conditionManualMax: max } = monitor;
  return {
    name: monitor.name,
    ...(column === null ? {} : { column }),
    metric_type: monitor.metricType,
    ...(Object.keys(config).length > 0 ? { metric_config: config } : {}),
    schedule: scheduleInShort(monitor),
    ...(sensitivity === null ? {} : { condition_auto_sensitivity: sensitivity }),
    ...(min === null ? {} : { condition_manual_min: min }),
    ...(max === null ? {} : { condition_manual_max: max }),
    ...(monitor.timeZone === usual.timeZone ? {} : { time_zone: monitor.timeZone }),
    ...(monitor.holidayCountry === usual.holidayCountry
      ? {}
      : { holiday_country: monitor.holidayCountry }),
    ...(monitor.adaptation === 'normal' ? {} : { adaptation: monitor.adaptation }),
    ...(monitor.notifyChatChannel ? { notify_chat_channel: monitor.notifyChatChannel } : {}),
    ...(monitor.isEnabled ? {} : { is_enabled: false }),
  };
}

/** A schedule with the fields that its cadence uses. */
function scheduleInShort(monitor: Monitor): object {
  const { cadence, frequency, hour, day } = scheduleOf(monitor);
  if (cadence === 'hourly') return { cadence, frequency };
  return cadence === 'daily' ? { cadence, hour } : { cadence, day, hour };
}
