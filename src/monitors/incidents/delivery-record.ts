// What deliveries know of incidents, and leave on them.

import { serverViewer } from '../../auth/viewer.ts';
import type { IncidentDeliveries } from '../../notifications/outbox/deliver.ts';
import { noteOnIncident } from './record.ts';

/** Handed to the deliveries, which know no monitors. */
export const incidentDeliveries: IncidentDeliveries = {
  async delivered(tx, id) {
    const { workspaceId } = tx;
    await tx.db.incident.updateMany({
      where: { workspaceId, id },
      data: { lastNotifiedAt: tx.now() },
    });
  },
  /** What can't be delivered is said where somebody will look for it. */
  async failed(tx, id, why) {
    const { workspaceId } = tx;
    const incident = await tx.db.incident.findFirst({ where: { workspaceId, id } });
    if (!incident) return;
    await noteOnIncident(
      { ...tx, viewer: serverViewer(workspaceId) },
      id,
      'notification_failed',
      why,
    );
  },
};
