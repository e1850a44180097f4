// What monitors, measurements and incidents name, as objects next to their ids.

import { builder } from '../graphql/builder.ts';
import { pageArgs } from '../graphql/page.ts';
import { loadIntegration } from '../integrations/integration.ts';
import { IntegrationRef } from '../integrations/schema.ts';
import { InboxRef, idOf } from '../notifications/inbox-schema.ts';
import { loadUser } from '../people/loaders.ts';
import { UserRef } from '../people/schema.ts';
import { IncidentRef, MeasurementRef } from './incidents/schema.ts';
import { loadIncident, loadMeasurement, loadMonitor, loadMonitorsOn } from './loaders.ts';
import { MonitorConnection, MonitorRef } from './schema.ts';

builder.prismaObjectFields('Monitor', (t) => ({
  createdBy: t.field({
    type: UserRef,
    nullable: true,
    description: 'The user who made it; null where a project declares it.',
    resolve: ({ createdById }, _args, ctx) => loadUser(ctx, createdById),
  }),
  integration: t.field({
    type: IntegrationRef,
    nullable: true,
    description: 'The integration whose source it measures, for those who may read integrations.',
    resolve: ({ integrationId }, _args, ctx) => loadIntegration(ctx, integrationId),
  }),
  declaredBy: t.field({
    type: IntegrationRef,
    nullable: true,
    description: 'The project that declares it, for those who may read integrations.',
    resolve: ({ declaredById }, _args, ctx) => loadIntegration(ctx, declaredById),
  }),
  lastMeasurement: t.field({
    type: MeasurementRef,
    nullable: true,
    description: 'The latest measurement.',
    resolve: ({ lastMeasurementId }, _args, ctx) => loadMeasurement(ctx, lastMeasurementId),
  }),
  lastIncident: t.field({
    type: IncidentRef,
    nullable: true,
    description: 'The latest incident, resolved or not.',
    resolve: ({ lastIncidentId }, _args, ctx) => loadIncident(ctx, lastIncidentId),
  }),
}));

builder.prismaObjectField('NotificationRule', 'monitors', (t) =>
  t.field({
    type: [MonitorRef],
    description: 'The monitors that it is limited to, without those that are gone.',
    resolve: async ({ monitorIds }, _args, ctx) =>
      (await Promise.all(monitorIds.map((id) => loadMonitor(ctx, id)))).filter(
        (monitor) => monitor !== null,
      ),
  }),
);

builder.prismaObjectFields('Measurement', (t) => ({
  monitor: t.field({
    type: MonitorRef,
    nullable: true,
    description: 'The monitor that measured it.',
    resolve: ({ monitorId }, _args, ctx) => loadMonitor(ctx, monitorId),
  }),
  incident: t.field({
    type: IncidentRef,
    nullable: true,
    description: 'The incident that it belongs to.',
    resolve: ({ incidentId }, _args, ctx) => loadIncident(ctx, incidentId),
  }),
}));

builder.prismaObjectField('Integration', 'monitors', (t) =>
  t.field({
    type: MonitorConnection,
    description: 'Monitors on its source, newest first.',
    args: pageArgs,
    resolve: ({ id }, args, ctx) => loadMonitorsOn(ctx, id, args),
  }),
);

builder.prismaObjectField('Incident', 'assignee', (t) =>
  t.field({
    type: UserRef,
    nullable: true,
    description: 'The user who takes care of it.',
    resolve: ({ assigneeId }, _args, ctx) => loadUser(ctx, assigneeId),
  }),
);

builder.prismaObjectField('IncidentAction', 'user', (t) =>
  t.field({
    type: UserRef,
    nullable: true,
    description: 'The user who did it; null when the server did.',
    resolve: ({ userId }, _args, ctx) => loadUser(ctx, userId),
  }),
);

builder.objectFields(InboxRef, (t) => ({
  incident: t.field({
    type: IncidentRef,
    nullable: true,
    description: 'The incident it is about, where the viewer may see it now.',
    resolve: ({ content }, _args, ctx) => loadIncident(ctx, idOf(content, 'incident')),
  }),
  incidentId: t.id({
    nullable: true,
    description: 'The incident it is about, where the viewer may see it now.',
    resolve: async ({ content }, _args, ctx) =>
      (await loadIncident(ctx, idOf(content, 'incident')))?.id ?? null,
  }),
}));
