// Subscriptions to incidents and measurements in GraphQL.

import type { Incident, Measurement } from '../generated/prisma/client.ts';
import { builder } from '../graphql/builder.ts';
import { follow, readNow } from '../graphql/watch.ts';
import { compileWhere } from '../lists/where.ts';
import { changedIncidents } from './incidents/incident.ts';
import { IncidentRef, MeasurementRef } from './incidents/schema.ts';
import { changedMeasurements } from './measurement.ts';
import { getMonitor } from './monitor.ts';
import { incidentMembers } from './where.ts';
import { IncidentWhere } from './where-schema.ts';

builder.subscriptionFields((t) => ({
  incidentChanged: t.field({
    type: IncidentRef,
    description:
      'Each incident that the viewer may see when it opens and after each change, as long as the filter ' +
      'holds for it then: to be notified of ends, leave out the status.',
    args: {
      monitorId: t.arg.id({ description: 'Only those of this monitor.' }),
      where: t.arg({ type: IncidentWhere, description: 'Only those that it holds for.' }),
    },
    subscribe: async (_root, { monitorId, where }, ctx) => {
      if (monitorId) await readNow(ctx, (now) => getMonitor(now, monitorId));
      // What is wrong with it is said now, and not when something happens.
      compileWhere(where, incidentMembers(ctx));
      return follow<Incident>(ctx, {
        topic: 'incident',
        read: (now, ids, since) => changedIncidents(now, { ids, since, monitorId, where }),
      });
    },
    resolve: ({ thing }) => thing,
  }),
  measurementAdded: t.field({
    type: MeasurementRef,
    description: 'Each new measurement of a monitor, or of all that the viewer may see.',
    args: { monitorId: t.arg.id({ description: 'Only those of this monitor.' }) },
    subscribe: async (_root, { monitorId }, ctx) => {
      if (monitorId) await readNow(ctx, (now) => getMonitor(now, monitorId));
      return follow<Measurement>(ctx, {
        topic: 'measurement',
        read: (now, ids, since) => changedMeasurements(now, { ids, since, monitorId }),
      });
    },
    resolve: ({ thing }) => thing,
  }),
}));
