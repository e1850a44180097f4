// Live sources in GraphQL: trying a connection, and syncing.

import { invalidField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { weighing } from '../../graphql/limits/weight.ts';
import { JobRef } from '../../jobs/schema.ts';
import type { Obstacle } from '../../network/reach.ts';
import type { ConnectionCheck, ConnectionReport } from '../connectors/connector.ts';
import { keepsSecretsHelp } from '../stored-secrets.ts';
import { hostObstacle, testConnection } from './connection-test.ts';
import { triggerSync } from './live-sync.ts';

const CheckState = builder.enumType('ConnectionCheckState', {
  description: 'The result of one check.',
  values: {
    ok: { description: 'It is in order.' },
    limited: { description: 'Something is left out; the rest works.' },
    missing: { description: 'Without it nothing works.' },
  },
});

const CheckType = builder.objectRef<ConnectionCheck>('ConnectionCheck').implement({
  description: 'One thing that a source was asked about.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What was looked at, in a word or two.' }),
    state: t.expose('state', { type: CheckState, description: 'Its result.' }),
    message: t.exposeString('message', { description: 'What was found, in words.' }),
    fix: t.exposeString('fix', {
      nullable: true,
      description: 'What would fix it, such as the grants to give.',
    }),
  }),
});

const ReportType = builder.objectRef<ConnectionReport>('ConnectionReport').implement({
  description: 'Whether a source can be used, and what is missing.',
  fields: (t) => ({
    ok: t.exposeBoolean('ok', { description: 'Whether nothing that is needed is missing.' }),
    version: t.exposeString('version', {
      nullable: true,
      description: 'What the source calls itself, with its version.',
    }),
    checks: t.field({
      type: [CheckType],
      description: 'Everything that was looked at.',
      resolve: ({ checks }) => [...checks],
    }),
  }),
});

const ObstacleType = builder.objectRef<Obstacle>('HostObstacle').implement({
  description: 'What keeps this server from connecting to a host.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'Why it may not be connected to.' }),
    setting: t.exposeString('setting', {
      nullable: true,
      description:
        'The setting with which the operator of this server allows it, such as `ALLOW_PRIVATE_HOSTS=10.0.0.5/32`; null where none does.',
    }),
  }),
});

builder.queryFields((t) => ({
  hostObstacle: t.field({
    type: ObstacleType,
    nullable: true,
    description:
      'What keeps this server from a host, as far as that is known before connecting; null for nothing. Admins may ask.',
    args: {
      host: t.arg.string({ required: true, description: 'Its name or address.' }),
    },
    extensions: weighing({ isUnbounded: true }),
    resolve: (_root, { host }, ctx) => hostObstacle(ctx, host),
  }),
}));

builder.mutationFields((t) => ({
  testConnection: t.field({
    type: ReportType,
    description:
      'Connect to the source of an integration and say what is missing. Admins may. What the source ' +
      'answers is in the report; an error is only what keeps it from being asked.',
    args: {
      integrationId: t.arg.id({ required: true, description: 'Id of the integration.' }),
      credentials: t.arg({
        type: 'JSON',
        description: 'Credentials to try in place of the stored ones; they are not kept.',
      }),
      keepsSecrets: t.arg.boolean({ defaultValue: false, description: keepsSecretsHelp }),
    },
    extensions: weighing({ isUnbounded: true }),
    resolve: (_root, { integrationId, credentials, keepsSecrets }, ctx) =>
      testConnection(ctx, integrationId, objectOrNothing(credentials), keepsSecrets ?? false),
  }),
  triggerSync: t.field({
    type: JobRef,
    description:
      'Sync an integration with its source, in the background: answers the job. Admins may. It is a ' +
      'CONFLICT while another sync is in progress.',
    args: {
      integrationId: t.arg.id({ required: true, description: 'Id of the integration.' }),
      force: t.arg.boolean({
        defaultValue: false,
        description:
          'Go on also where more than half of at least 20 resources become stale; the job fails otherwise.',
      }),
    },
    resolve: (_root, { integrationId, force }, ctx) =>
      triggerSync(ctx, integrationId, { force: force ?? false }),
  }),
}));

function objectOrNothing(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return { ...value };
  throw invalidField('credentials', 'Use a JSON object.');
}
