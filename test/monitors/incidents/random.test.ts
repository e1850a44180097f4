// Random histories of monitors keep the rules of incidents in what is stored, too.

import { expect, test } from 'vitest';
import { CatalogError, invalid } from '../../../src/errors.ts';
import { updateIncident } from '../../../src/monitors/incidents/incident-change.ts';
import { createMonitor, updateMonitor } from '../../../src/monitors/monitor.ts';
import type { OpenSource } from '../../../src/monitors/runs/asking.ts';
import { runAndKeep } from '../../../src/monitors/runs/run.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { randomFrom } from '../../trials/random.ts';
import { IncidentModel, type Step } from './model.ts';

const monitors = 25;
const ticks = 20;
const highest = 10;
const measured = ['within', 'within', 'within', 'above', 'above', 'run_failed'] as const;
const byPeople = [
  'commented',
  'acknowledged',
  'resolved',
  'reopened',
  'monitor_disabled',
  'monitor_enabled',
] as const;

/** What is measured; nothing where the run fails. */
const valueOfStep = new Map<Step, number>([
  ['within', 1],
  ['above', highest + 1],
]);

/** A source where each monitor's query names it, and has the value that is given. */
function sourceOf(values: ReadonlyMap<string, number | null>): OpenSource {
  return async () => ({
    dialect: 'postgres',
    async query(sql) {
      const value = values.get(/monitor_(\d+)_/.exec(sql)?.[1] ?? '');
      if (value == null) throw invalid('The source refused.');
      return { rows: [[value]] };
    },
    close: async () => {},
  });
}

async function makeMonitors(catalog: Catalog): Promise<string[]> {
  const { id: integrationId } = await catalog.integration({ type: 'postgres' });
  const ids: string[] = [];
  for (let n = 0; n < monitors; n += 1) {
    const table = await catalog.resource();
    const { id } = await createMonitor(catalog.admin, {
      targetId: table.id,
      metricType: 'custom_sql',
      metricConfig: { query_select: `select max(n) from monitor_${n}_` },
      conditionAutoSensitivity: null,
      conditionManualMax: highest,
    });
    ids.push(id);
  }
  const { workspaceId } = catalog;
  await catalog.database.prisma.resource.updateMany({
    where: { workspaceId },
    data: { integrationId, databaseName: 'd', schemaName: 's' },
  });
  return ids;
}

const incidentsOf = ({ database: { prisma }, workspaceId }: Catalog, monitorId: string) =>
  prisma.incident.findMany({
    where: { workspaceId, monitorId },
    include: { actions: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  });

/** What a person does; what the rules refuse is a conflict. */
async function act(catalog: Catalog, id: string, step: (typeof byPeople)[number]): Promise<void> {
  if (step === 'monitor_disabled' || step === 'monitor_enabled') {
    await updateMonitor(catalog.admin, id, { isEnabled: step === 'monitor_enabled' });
    return;
  }
  const incidents = await incidentsOf(catalog, id);
  const incident = incidents.find(({ status }) => status !== 'resolved') ?? incidents[0];
  if (!incident) return;
  const input = {
    commented: { comment: 'I am looking.' },
    acknowledged: { status: 'acknowledged' },
    resolved: { status: 'resolved', resolveReason: 'fixed' },
    reopened: { status: 'active' },
  }[step];
  await updateIncident(catalog.admin, incident.id, input).catch((error: unknown) => {
    if (!(error instanceof CatalogError) || error.code !== 'CONFLICT') throw error;
  });
}

test(`${monitors * ticks} random events keep the rules in the database`, async () => {
  await using catalog = await openCatalog();
  const { prisma } = catalog.database;
  const random = randomFrom(77);
  const pick = <T>(list: readonly T[]): T => {
    const found = list[random.whole(0, list.length - 1)];
    if (found === undefined) throw new Error('The list is empty.');
    return found;
  };
  const ids = await makeMonitors(catalog);
  const models = ids.map(() => new IncidentModel());
  const seen = { opened: 0, autoResolved: 0 };
  const quiet = { log: () => {}, progress: () => {} };
  const byHand = { jobId: null, scheduled: false, fence: async () => {} };
  for (let tick = 0; tick < ticks; tick += 1) {
    const at = new Date(Date.UTC(2026, 2, 1, tick));
    catalog.setTime(at);
    const values = new Map<string, number | null>();
    const expected = new Map<string, ReturnType<IncidentModel['take']>>();
    for (const [n, id] of ids.entries()) {
      const step: Step = random.even() < 0.75 ? pick(measured) : pick(byPeople);
      const person = byPeople.find((one) => one === step);
      if (person) await act(catalog, id, person);
      else values.set(`${n}`, valueOfStep.get(step) ?? null);
      expected.set(id, models[n]?.take(step) ?? { opened: false, attached: false, notify: null });
    }
    const run = ids.filter((_, n) => values.has(`${n}`));
    await runAndKeep(catalog.admin, run, sourceOf(values), byHand, quiet);

    for (const [n, id] of ids.entries()) {
      const model = models[n];
      const incidents = await incidentsOf(catalog, id);
      const open = incidents.filter(({ status }) => status !== 'resolved');
      const where = `monitor ${n} at ${tick}`;
      expect(open.length, where).toBe(model?.open ? 1 : 0);
      if (open[0]) {
        expect(open[0].status, where).toBe(model?.acknowledged ? 'acknowledged' : 'active');
        expect(open[0].goodRuns, where).toBe(model?.good);
        expect([open[0].resolvedAt, open[0].resolveReason], where).toEqual([null, null]);
      }
      for (const { actions, status, resolvedAt } of incidents) {
        const notifications = actions.filter(({ type }) => type === 'notification_initial');
        expect(notifications.length, where).toBe(1);
        expect(resolvedAt === null, where).toBe(status !== 'resolved');
      }
      const { opened, attached } = expected.get(id) ?? {};
      seen.opened += opened ? 1 : 0;
      const made = await prisma.measurement.findFirst({ where: { monitorId: id, createdAt: at } });
      const value = values.get(`${n}`);
      expect(made === null, where).toBe(value == null);
      if (made) expect(made.incidentId, where).toBe(attached ? open[0]?.id : null);
    }
  }
  const actions = { workspaceId: catalog.workspaceId, type: 'auto_resolved' };
  seen.autoResolved = await prisma.incidentAction.count({ where: actions });
  expect(seen.opened).toBeGreaterThan(monitors);
  expect(seen.autoResolved).toBeGreaterThan(5);
});
