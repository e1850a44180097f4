// BigQuery as a type of source.

import { z } from 'zod';
import { field, fieldOf, names, word } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';
import { addressFrom } from '../source-address.ts';

const limit = 'Use a number of GiB, 0.01 to 1000000.';

const credentials = z.object({
  project: field(
    {
      label: 'Billing project',
      help: 'Its ID, such as shop-prod. Queries are billed there.',
    },
    word('the id of the project that pays').regex(
      /^[a-z0-9.:-]+$/,
      'Use the id of a project: small letters, digits and hyphens.',
    ),
  ),
  service_account: field(
    {
      label: 'Service account (JSON)',
      help: 'The whole key file of the service account.',
      ...{ isSecret: true, isMultiline: true },
    },
    word('the file of a key of a service account', 20_000),
  ),
  projects: field(
    {
      label: 'Included projects',
      help: 'Separated by commas. Leave empty for the billing project.',
    },
    names(),
  ),
  include: fieldOf.include,
  exclude: fieldOf.exclude,
  max_scan_gib: field(
    {
      label: 'Read limit per statement (GiB)',
      help: 'Leave empty for 10. BigQuery refuses statements that would read more, and bills nothing.',
    },
    z.coerce.number({ error: limit }).min(0.01, limit).max(1_000_000, limit).default(10),
  ),
  host: field(
    { label: 'Host', help: 'Only for a regional or private endpoint.' },
    fieldOf.host.optional(),
  ),
  port: fieldOf.port(443),
  ssl: fieldOf.ssl,
  ca: fieldOf.ca,
});

export const bigquery = {
  label: 'BigQuery',
  dialect: 'bigquery',
  credentials,
  capabilities: [
    ...(['comments', 'sizes', 'tags', 'views', 'history'] as const),
    ...(['usage', 'measure', 'freshness', 'estimate'] as const),
  ],
  page: 'bigquery.md',
  isBeta: true,
  address: addressFrom(credentials, ({ project, projects }) =>
    projects.length > 1
      ? `bigquery://${projects.join(',')}`
      : `bigquery://${projects[0] ?? project}`,
  ),
  // They reach other databases, or cost by what is said to a model.
  forbiddenCalls: /^(EXTERNAL_QUERY|(AI|ML)\..*|.*\.EXTERNAL_QUERY)$/,
} as const satisfies ConnectorManifest;
