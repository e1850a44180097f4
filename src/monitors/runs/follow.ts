// Writes what the rules decided of an incident: its row, what is noted on it, and who is to be notified.

import { record } from '../../audit/audit.ts';
import type { Context } from '../../context.ts';
import type { Incident, Monitor } from '../../generated/prisma/client.ts';
import { notifyOfIncident } from '../incidents/notify.ts';
import { noteAllOnIncident, openIncident, ruleView, writeIncident } from '../incidents/record.ts';
import type { Decision } from '../incidents/rules.ts';

/** Write what the rules decided; the incident that the monitor has then. */
export async function follow(
  tx: Context,
  monitor: Pick<Monitor, 'id' | 'targetId' | 'name'>,
  before: Incident | null,
  decision: Decision,
  { summary, standing }: { readonly summary: string; readonly standing: string | null },
): Promise<Incident | null> {
  const after = decision.watch.incident;
  if (after === null) return null;
  let incident = before;
  if (decision.opened) {
    incident = await openIncident(tx, monitor, after, summary);
    const subject = { id: incident.id, kind: 'incident', title: incident.name };
    const says = `The monitor ${monitor.name} opened an incident: ${summary}`;
    await record(tx, { activity: 'incident_opened', subject, says });
  } else if (
    incident &&
    isChanged({ ...ruleView(incident), standing: incident.standing }, { ...after, standing })
  ) {
    // What it ended at is still said when it has ended.
    const isOver = after.status === 'resolved' && after.resolveReason === 'new_level';
    await writeIncident(tx, incident.id, after, standing ?? (isOver ? incident.standing : null));
  }
  if (!incident) return null;
  await noteAllOnIncident(tx, incident.id, decision.actions);
  if (decision.notify) await notifyOfIncident(tx, incident, decision.notify);
  return incident;
}

function isChanged(before: object, after: object): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}
