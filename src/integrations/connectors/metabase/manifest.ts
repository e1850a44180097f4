// Metabase as a type of source.

import { z } from 'zod';
import { field, fieldOf, optionalText } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';

const signIn = { api_key: 'API key', password: 'Name and password' } as const;

const credentials = z.object({
  url: fieldOf.url('Metabase', 'https://metabase.example.com'),
  auth: field(
    { label: 'Sign-in method', choices: signIn },
    z.enum(['api_key', 'password'], { error: 'Use one of api_key, password.' }).default('api_key'),
  ),
  api_key: field(
    {
      label: 'API key',
      help: 'Of a group with view access only.',
      ...{ isSecret: true, isNeeded: true, when: { auth: ['api_key'] } },
    },
    optionalText(),
  ),
  user: field({ label: 'User', isNeeded: true, when: { auth: ['password'] } }, optionalText(1_000)),
  password: field(
    { label: 'Password', isSecret: true, isNeeded: true, when: { auth: ['password'] } },
    optionalText(),
  ),
  ca: fieldOf.ca,
});

export const metabase = {
  label: 'Metabase',
  dialect: null,
  credentials,
  capabilities: ['dashboards'],
  page: 'metabase.md',
  isBeta: true,
} as const satisfies ConnectorManifest;
