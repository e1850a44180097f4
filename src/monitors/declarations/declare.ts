// The monitors that a project declares: which are right, and what an import has to do.

import { mustBeAllowed } from '../../auth/permission.ts';
import type { Context, ServerContext } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { type FieldError, invalid } from '../../errors.ts';
import { type Monitor, Prisma } from '../../generated/prisma/client.ts';
import type {
  CheckedDeclarations,
  DeclaringProject,
  MonitorCounts,
} from '../../integrations/imports/declared.ts';
import { mustFit } from '../../limits/workspace-limits.ts';
import { workspaceSettings } from '../../people/workspace-settings.ts';
import { metricOf } from '../metric.ts';
import { isSameMetric } from '../metric-config.ts';
import { scheduleColumns } from '../monitor-schedule.ts';
import { monitorColumns } from '../seen.ts';
import { checkDeclaration, type Declared, readDeclaration } from './declaration.ts';
import { disableAll, insertDeclared, rewriteDeclared } from './declared-monitor.ts';

/** Monitors that one project may declare. */
const maxMonitors = 10_000;
/** Problems that one answer names, and characters of what it says of each. */
const maxProblems = 50;
const maxMessage = 800;
/** Problems after which no more are looked for: a file may be made of nothing else. */
const enoughProblems = 1_000;

/**
 * Check the monitors that a project declares. Throws BAD_REQUEST that names all that is wrong, each
 * with its place in the file. Anyone who may import may.
 */
export async function readDeclaredMonitors(
  ctx: ServerContext,
  project: DeclaringProject,
): Promise<CheckedDeclarations> {
  mustBeAllowed(ctx, 'edit monitors');
  const declared = await checkAll(ctx, project);
  return {
    async count(context) {
      const plan = await compare(context, project, declared);
      reportPlan(project, plan);
      return countsOf(plan);
    },
    async write(tx) {
      const plan = await compare(tx, project, declared, { locked: true });
      const { integration } = project;
      const { length: created } = plan.created;
      if (created > 0) await mustFit(tx, 'monitors', created, true);
      await insertDeclared(tx, integration, plan.created);
      await rewriteDeclared(tx, integration, plan.updated);
      await disableAll(tx, integration, plan.removed);
      reportPlan(project, plan);
      return countsOf(plan);
    },
  };
}

interface Entry {
  readonly line: number;
  readonly path: string;
  readonly key: string;
  readonly column: string | null;
  readonly monitor: Parameters<typeof checkDeclaration>[2];
}

interface Problem extends FieldError {
  readonly line: number;
}

async function checkAll(ctx: Context, project: DeclaringProject): Promise<Declared[]> {
  const { entries, problems } = entriesOf(project);
  if (entries.length > maxMonitors) {
    throw invalid(`A project can declare ${maxMonitors} monitors, not ${entries.length}.`);
  }
  const targets = await project.targets(ctx, entries);
  const usual = await workspaceSettings(ctx);
  const declared: Declared[] = [];
  const known = new Map<string, string>();
  for (const [index, { line, path, key, column, monitor }] of entries.entries()) {
    const target = targets[index];
    if (!target) {
      const what = `the table has no column ${column} that the project or the catalog knows.`;
      problems.push({ line, field: `${path}.column`, message: what });
      continue;
    }
    const checked = checkDeclaration(target, path, monitor, usual);
    if ('problems' in checked) {
      problems.push(...checked.problems.map((problem) => ({ line, ...problem })));
      continue;
    }
    const { wanted } = checked;
    const declaredIn = column === null ? key : `${key}.${column.toLowerCase()}`;
    const before = known.get(keyOf({ declaredIn, name: wanted.name }));
    if (before !== undefined) {
      const message = `"${wanted.name}" is declared already, at ${before}.`;
      problems.push({ line, field: `${path}.name`, message });
    }
    known.set(keyOf({ declaredIn, name: wanted.name }), path);
    declared.push({ ...wanted, declaredIn, target });
  }
  if (problems.length > 0) throw refusal(project, problems);
  return declared;
}

/** All entries of all lists; where one names a column itself, it is about that. */
function entriesOf({ declared }: DeclaringProject): { entries: Entry[]; problems: Problem[] } {
  const entries: Entry[] = [];
  const problems: Problem[] = [];
  for (const { line, path, key, column, value } of declared) {
    if (entries.length > maxMonitors || problems.length >= enoughProblems) break;
    const list = readDeclaration(path, value);
    problems.push(...list.problems.map((problem) => ({ line, ...problem })));
    for (const { path: at, monitor } of list.monitors) {
      if (column !== undefined && monitor.column !== undefined) {
        const message = `follows from where it stands: it is ${column}.`;
        problems.push({ line, field: `${at}.column`, message });
      }
      const about = column ?? monitor.column ?? null;
      entries.push({ line, path: at, key, column: about, monitor });
    }
  }
  return { entries, problems };
}

function refusal({ file }: DeclaringProject, problems: readonly Problem[]) {
  const short = (text: string) =>
    text.length > maxMessage ? `${text.slice(0, maxMessage - 3)}...` : text;
  const listed = problems.slice(0, maxProblems).map(({ line, field, message }) => ({
    field: short(field),
    message: short(`${file}, line ${line}: ${field} ${message}`),
  }));
  const [first] = listed;
  const more = problems.length - 1;
  const rest =
    more === 0
      ? ''
      : ` There ${more === 1 ? 'is one more problem' : `are ${more} more problems`} with its monitors.`;
  return invalid(`${first?.message ?? file}${rest}`, listed);
}

/** What an import is to do about monitors. */
interface Plan {
  readonly created: Declared[];
  readonly updated: { readonly before: Monitor; readonly to: Declared }[];
  readonly removed: Monitor[];
  readonly unchanged: Monitor[];
  readonly waiting: Declared[];
  /** Those in whose place a person has made a monitor of that name. */
  readonly taken: Declared[];
}

const countsOf = (plan: Plan): MonitorCounts => ({
  created: plan.created.length,
  updated: plan.updated.length,
  removed: plan.removed.length,
  unchanged: plan.unchanged.length,
  waiting: plan.waiting.length + plan.taken.length,
});

async function compare(
  ctx: Context,
  { integration, isWhole }: DeclaringProject,
  declared: readonly Declared[],
  { locked = false } = {},
): Promise<Plan> {
  const found = await rows<Monitor>(
    ctx,
    Prisma.sql`select ${monitorColumns} from monitor m
      where m.workspace_id = ${ctx.workspaceId}::uuid and m.declared_by_id = ${integration.id}::uuid
      order by m.id ${locked ? Prisma.sql`for update` : Prisma.empty}`,
  );
  const rest = new Map(found.map((monitor) => [keyOf(monitor), monitor]));
  const byHand = await namesByHand(ctx, declared);
  const plan: Plan = {
    ...{ created: [], updated: [], removed: [], unchanged: [] },
    ...{ waiting: [], taken: [] },
  };
  for (const one of declared) {
    const before = rest.get(keyOf(one));
    rest.delete(keyOf(one));
    if (before) {
      // A table that can no longer be measured keeps its monitor, which says so.
      const to = isMeasurable(one) ? one : keptOn(before, one);
      if (isAsWanted(before, to)) plan.unchanged.push(before);
      else plan.updated.push({ before, to });
    } else if (!isMeasurable(one)) plan.waiting.push(one);
    else if (byHand.has(nameOn(one.target.id, one.name))) plan.taken.push(one);
    else plan.created.push(one);
  }
  for (const monitor of rest.values()) {
    if (isWhole && monitor.undeclaredAt === null) plan.removed.push(monitor);
  }
  return plan;
}

const keyOf = ({ declaredIn, name }: { declaredIn: string | null; name: string }) =>
  `${declaredIn}\n${name}`;

const nameOn = (targetId: string, name: string) => `${targetId}\n${name}`;

function keptOn({ targetId: id, integrationId }: Monitor, declared: Declared): Declared {
  const { target } = declared;
  return {
    ...declared,
    target: { ...target, id, integrationId: integrationId ?? target.integrationId },
  };
}

/** What people made on the same targets: theirs are left alone, and not doubled. */
async function namesByHand(ctx: Context, declared: readonly Declared[]): Promise<Set<string>> {
  const targets = [...new Set(declared.map(({ target }) => target.id))];
  if (targets.length === 0) return new Set();
  const found = await rows<{ targetId: string; name: string }>(
    ctx,
    Prisma.sql`select target_id as "targetId", name from monitor
      where workspace_id = ${ctx.workspaceId}::uuid and declared_by_id is null
        and target_id = any(${targets}::uuid[])`,
  );
  return new Set(found.map(({ targetId, name }) => nameOn(targetId, name)));
}

/** Whether a run could get a value: from a source that is connected, or from uploaded run results. */
function isMeasurable({ target, metricType }: Declared): boolean {
  if (target.isDeleted) return false;
  return metricOf(metricType).from === 'run_results' || target.isConnected;
}

function isAsWanted(before: Monitor, to: Declared): boolean {
  const columns = { ...scheduleColumns(to.schedule), targetId: to.target.id };
  const { isEnabled, notifyChatChannel, conditionAutoSensitivity } = to;
  const { conditionManualMin, conditionManualMax, timeZone, holidayCountry, adaptation } = to;
  const wanted = {
    ...{ ...columns, isEnabled, notifyChatChannel, conditionAutoSensitivity },
    ...{ timeZone, holidayCountry, adaptation },
    ...{ conditionManualMin, conditionManualMax, integrationId: to.target.integrationId },
  };
  const same = Object.entries(wanted).every(
    ([field, value]) => Reflect.get(before, field) === value,
  );
  return same && before.undeclaredAt === null && isSameMetric(before, to);
}

function reportPlan({ log }: DeclaringProject, { waiting, taken }: Plan): void {
  const some = (list: readonly Declared[]) => {
    const names = list.slice(0, 5).map(({ declaredIn, name }) => `${declaredIn}: ${name}`);
    return `${names.join(', ')}${list.length > names.length ? ', ...' : ''}`;
  };
  if (waiting.length > 0) {
    log(
      `${waiting.length} monitors wait until the source of their tables is connected: ` +
        `${some(waiting)}.`,
    );
  }
  if (taken.length > 0) {
    log(
      `${taken.length} monitors are not made, because a person made one of that name: ${some(taken)}.`,
    );
  }
}
