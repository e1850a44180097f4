// Metabase as a type of source.

import { z } from 'zod';
import { field, fieldOf, optionalText, word } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';

const signIn = { api_key: 'API key', password: 'Name and password' } as const;

const credentials = z.object({
  url: field(
    { label: 'Address', help: 'As in a browser, such as https://metabase.example.com.' },
    word('the address of Metabase').refine(
      isPlainUrl,
      'Use an address such as https://metabase.example.com, without login, query or fragment.',
    ),
  ),
  auth: field(
    { label: 'Signs in by', choices: signIn },
    z.enum(['api_key', 'password'], { error: 'Use one of api_key, password.' }).default('api_key'),
  ),
  api_key: field(
    {
      label: 'API key',
      help: 'Of a group that may only view.',
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

function isPlainUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return (
    url !== null && isWeb && [url.username, url.password, url.search, url.hash].join('') === ''
  );
}

export const metabase = {
  label: 'Metabase',
  dialect: null,
  credentials,
  capabilities: ['dashboards'],
  page: 'metabase.md',
  isBeta: true,
} as const satisfies ConnectorManifest;
