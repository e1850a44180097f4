// Databricks as a type of source.

import { z } from 'zod';
import { field, fieldOf, optionalText, word } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';
import { addressFrom } from '../source-address.ts';

const signIn = { token: 'Access token', service_principal: 'Service principal (OAuth)' } as const;

const credentials = z.object({
  host: field(
    { label: 'Host', help: 'Of the workspace, such as dbc-a1b2.cloud.databricks.com.' },
    fieldOf.host,
  ),
  warehouse_id: field(
    { label: 'SQL warehouse', help: 'Its ID, or its HTTP path, which ends with the ID.' },
    word('the id of the SQL warehouse')
      .transform((given) => given.replace(/^.*\/warehouses\//, ''))
      .refine(
        (id) => /^[0-9a-zA-Z_-]+$/.test(id),
        'Use the id of a SQL warehouse, or its HTTP path.',
      ),
  ),
  auth: field(
    { label: 'Sign-in method', choices: signIn },
    z
      .enum(['token', 'service_principal'], { error: 'Use one of token, service_principal.' })
      .default('token'),
  ),
  token: field(
    {
      label: 'Token',
      help: 'A personal access token of a user that only reads.',
      ...{ isSecret: true, isNeeded: true, when: { auth: ['token'] } },
    },
    optionalText(),
  ),
  client_id: field(
    {
      label: 'Client ID',
      help: 'The application ID of the service principal.',
      ...{ isNeeded: true, when: { auth: ['service_principal'] } },
    },
    optionalText(1_000),
  ),
  client_secret: field(
    {
      label: 'Client secret',
      help: 'An OAuth secret of the service principal.',
      ...{ isSecret: true, isNeeded: true, when: { auth: ['service_principal'] } },
    },
    optionalText(),
  ),
  include: fieldOf.include,
  exclude: fieldOf.exclude,
  port: fieldOf.port(443),
  ssl: fieldOf.ssl,
  ca: fieldOf.ca,
});

export const databricks = {
  label: 'Databricks',
  dialect: 'databricks',
  credentials,
  capabilities: ['comments', 'tags', 'views', 'lineage', 'history', 'usage', 'measure'],
  page: 'databricks.md',
  isBeta: true,
  address: addressFrom(credentials, ({ host }) => `databricks://${host.toLowerCase()}`),
  // They reach elsewhere, read files, or cost by what is said to a model.
  forbiddenCalls:
    /^(HTTP_REQUEST|REMOTE_QUERY|READ_FILES|READ_KAFKA|AI_.*|VECTOR_SEARCH|JAVA_METHOD|REFLECT|SECRET)$/,
} as const satisfies ConnectorManifest;
