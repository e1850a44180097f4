// Monitors of the sample's live source, with sixty days of measurements.

import type { Context, ServerContext } from '../context.ts';
import { createMonitor } from '../monitors/monitor.ts';
import { runAndKeep } from '../monitors/runs/run.ts';
import { named } from './organization.ts';
import type { Sample } from './sample.ts';
import { lastRunDay, openPast, runHour, runOn } from './storefront.ts';

/** Days that the monitors have measured when the sample is loaded: eight weeks, and some. */
const days = 60;

/**
 * Make the monitors of the live source, unless it was left out, and measure day after day what the source showed then: ranges are learned and
 * incidents opened and resolved as they would have been. To be called in a transaction.
 */
export async function makeMonitors(
  tx: ServerContext,
  sample: Sample,
  filesDir: string,
): Promise<void> {
  const past = await openPast(filesDir);
  if (!past) return;
  try {
    const last = lastRunDay(tx.now());
    const made = await createAll(asOf(tx, runOn(last - days)), sample);
    const ids = [...made, ...(await declaredOn(tx))];
    for (let number = last - days + 1; number <= last; number += 1) {
      await runAndKeep(asOf(tx, runOn(number)), ids, past.on(number), byHand, quiet);
    }
  } finally {
    past.close();
  }
}

const asOf = (tx: ServerContext, moment: Date): ServerContext => ({
  ...tx,
  now: () => moment,
  loaders: new Map(),
});

const byHand = { jobId: null, scheduled: false, fence: async () => {} };
const quiet = { log() {}, progress() {} };

async function createAll(tx: ServerContext, { monitors }: Sample): Promise<string[]> {
  const ids = await targetsOf(tx, monitors);
  const made: string[] = [];
  for (const { on, ...monitor } of monitors) {
    const schedule = { cadence: 'daily', hour: runHour };
    made.push((await createMonitor(tx, { targetId: named(ids, on), schedule, ...monitor })).id);
  }
  return made;
}

async function targetsOf(
  { db, workspaceId }: Context,
  monitors: Sample['monitors'],
): Promise<Map<string, string>> {
  const found = await db.resource.findMany({
    where: { workspaceId, titleFull: { in: monitors.map(({ on }) => on) } },
    select: { id: true, titleFull: true },
  });
  return new Map(found.map(({ id, titleFull }) => [titleFull, id]));
}

/** The monitors that the sample's project declares in its `meta`. */
async function declaredOn({ db, workspaceId }: Context): Promise<string[]> {
  const found = await db.monitor.findMany({
    where: { workspaceId, declaredIn: { not: null } },
    select: { id: true },
  });
  return found.map(({ id }) => id);
}
