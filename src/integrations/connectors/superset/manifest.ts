// Superset as a type of source.

import { z } from 'zod';
import { field, fieldOf } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';

const credentials = z.object({
  url: fieldOf.url('Superset', 'https://superset.example.com'),
  user: fieldOf.user,
  password: fieldOf.password,
  provider: field(
    {
      label: 'Authentication provider',
      help: 'Where Superset looks the user up.',
      choices: { db: 'Superset', ldap: 'LDAP' },
    },
    z.enum(['db', 'ldap'], { error: 'Use one of db, ldap.' }).default('db'),
  ),
  ca: fieldOf.ca,
});

export const superset = {
  label: 'Superset',
  dialect: null,
  credentials,
  capabilities: ['dashboards'],
  page: 'superset.md',
  isBeta: true,
  aliases: ['apache_superset', 'preset'],
} as const satisfies ConnectorManifest;
