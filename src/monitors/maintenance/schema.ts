// Maintenance windows in GraphQL.

import { builder, type InputFields } from '../../graphql/builder.ts';
import { createArgs, deleteArgs, updateArgs } from '../../graphql/mutation-args.ts';
import { connectionOf, pageArgs } from '../../graphql/page.ts';
import { loadIntegration } from '../../integrations/integration.ts';
import { IntegrationRef } from '../../integrations/schema.ts';
import { loadMonitor } from '../loaders.ts';
import { MonitorRef } from '../schema.ts';
import { covers } from './covers.ts';
import { loadMaintenance } from './in-force.ts';
import { createWindow, deleteWindow, listWindows, updateWindow } from './maintenance-window.ts';

const WindowRef = builder.prismaObject('MaintenanceWindow', {
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version'),
    name: t.exposeString('name'),
    isEnabled: t.exposeBoolean('isEnabled'),
    integrationId: t.exposeID('integrationId', { nullable: true }),
    monitorId: t.exposeID('monitorId', { nullable: true }),
    startsAt: t.expose('startsAt', { type: 'DateTime', nullable: true }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true }),
    days: t.exposeIntList('days'),
    fromTime: t.exposeString('fromTime', { nullable: true }),
    untilTime: t.exposeString('untilTime', { nullable: true }),
    timeZone: t.exposeString('timeZone'),
    measures: t.exposeBoolean('measures'),
    isInForce: t.boolean({
      description: 'Whether it is enabled and now is within it.',
      resolve: (window, _args, ctx) => window.isEnabled && covers(window, ctx.now()),
    }),
    integration: t.field({
      type: IntegrationRef,
      nullable: true,
      description: 'The integration that it is limited to, for those who may read integrations.',
      resolve: ({ integrationId }, _args, ctx) => loadIntegration(ctx, integrationId),
    }),
    monitor: t.field({
      type: MonitorRef,
      nullable: true,
      description: 'The monitor that it is limited to, where the viewer may see it.',
      resolve: ({ monitorId }, _args, ctx) =>
        monitorId === null ? null : loadMonitor(ctx, monitorId),
    }),
  }),
});

builder.prismaObjectField('Monitor', 'maintenance', (t) =>
  t.field({
    type: WindowRef,
    nullable: true,
    description: 'The maintenance window that it is in now; null where it is in none.',
    resolve: ({ id }, _args, ctx) => loadMaintenance(ctx, id),
  }),
);

const fields = (t: InputFields) => ({
  isEnabled: t.boolean({ description: 'False takes it out of use.' }),
  integrationId: t.id({ description: 'Only monitors on the source of this integration.' }),
  monitorId: t.id({ description: 'Only this monitor.' }),
  startsAt: t.field({
    type: 'DateTime',
    description:
      'When it begins, if it is once: within the last 366 days, or later. What was measured since is learned no longer.',
  }),
  endsAt: t.field({
    type: 'DateTime',
    description: 'When it ends, if it is once: within 366 days after it begins.',
  }),
  days: t.intList({
    description:
      'The days of every week on which it begins, from 0 for Monday to 6; with none, all.',
  }),
  fromTime: t.string({
    description: 'The time of these days at which it begins, such as 22:00, if it is weekly.',
  }),
  untilTime: t.string({
    description: 'The time at which it ends: of the next day unless it is later than fromTime.',
  }),
  timeZone: t.string({
    description: 'The time zone of days and times; that of the workspace where absent, else UTC.',
  }),
  measures: t.boolean({
    description:
      'Whether monitors still measure in it, without being judged; false for not to run by their schedules. True unless given.',
  }),
});

const about =
  'A time in which monitors are not judged, or do not run: those of the workspace, a source or one. Once or weekly.';

const CreateWindowInput = builder.inputType('CreateMaintenanceWindowInput', {
  description: `${about} What is absent takes its default.`,
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name.' }),
    ...fields(t),
  }),
});

const UpdateWindowInput = builder.inputType('UpdateMaintenanceWindowInput', {
  description: `${about} What is absent stays as it is, null clears.`,
  fields: (t) => ({ name: t.string({ description: 'Its name.' }), ...fields(t) }),
});

const WindowConnection = connectionOf('MaintenanceWindow', WindowRef);

builder.queryField('maintenanceWindows', (t) =>
  t.field({
    type: WindowConnection,
    description: 'Maintenance windows, by name. Editors may read them.',
    args: pageArgs,
    resolve: (_root, args, ctx) => listWindows(ctx, args),
  }),
);

builder.mutationFields((t) => ({
  createMaintenanceWindow: t.field({
    type: WindowRef,
    description: 'Make a maintenance window. Editors may.',
    args: createArgs(CreateWindowInput),
    resolve: (_root, { input }, ctx) => createWindow(ctx, input),
  }),
  updateMaintenanceWindow: t.field({
    type: WindowRef,
    description: 'Change a maintenance window. Editors may.',
    args: updateArgs('maintenance window', UpdateWindowInput),
    resolve: (_root, args, ctx) => updateWindow(ctx, args.id, args.input, args.expectedVersion),
  }),
  deleteMaintenanceWindow: t.field({
    type: WindowRef,
    description: 'Delete a maintenance window; answers what it was. Editors may.',
    args: deleteArgs('maintenance window'),
    resolve: (_root, args, ctx) => deleteWindow(ctx, args.id, args.expectedVersion),
  }),
}));
