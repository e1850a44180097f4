// Snowflake as a type of source.

import { z } from 'zod';
import { field, fieldOf, optionalText, word } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';
import { addressFrom } from '../source-address.ts';

const signIn = {
  key_pair: 'Key pair',
  token: 'Programmatic access token',
  oauth: 'OAuth token',
} as const;

const credentials = z.object({
  account: field(
    { label: 'Account', help: 'As in the address of your console, such as myorg-prod.' },
    word('the account, such as myorg-prod').regex(
      /^[A-Za-z0-9_.-]+$/,
      'Use the account alone, such as myorg-prod, without https:// or .snowflakecomputing.com.',
    ),
  ),
  auth: field(
    { label: 'Sign-in method', choices: signIn },
    z
      .enum(['key_pair', 'token', 'oauth'], { error: 'Use one of key_pair, token, oauth.' })
      .default('key_pair'),
  ),
  user: field({ label: 'User' }, word('the name of the login')),
  private_key: field(
    {
      label: 'Private key (PEM)',
      help: 'In PKCS#8 form; its public key is the RSA_PUBLIC_KEY of the user.',
      ...{ isSecret: true, isMultiline: true, isNeeded: true, when: { auth: ['key_pair'] } },
    },
    optionalText(20_000),
  ),
  private_key_passphrase: field(
    {
      label: 'Key passphrase',
      help: 'Only if the key is encrypted.',
      ...{ isSecret: true, when: { auth: ['key_pair'] } },
    },
    optionalText(),
  ),
  token: field(
    {
      label: 'Token',
      help: 'Of the user, for this role. An OAuth token is not renewed from here.',
      ...{ isSecret: true, isNeeded: true, when: { auth: ['token', 'oauth'] } },
    },
    optionalText(20_000),
  ),
  role: field(
    { label: 'Role', help: 'A read-only role. ACCOUNTADMIN and similar roles are refused.' },
    word('the role'),
  ),
  warehouse: field(
    { label: 'Warehouse', help: 'The smallest one is enough.' },
    word('the warehouse that runs its statements'),
  ),
  include: fieldOf.include,
  exclude: fieldOf.exclude,
  host: field(
    { label: 'Host', help: 'Only for private links. Otherwise derived from the account.' },
    fieldOf.host.optional(),
  ),
  port: fieldOf.port(443),
  ssl: fieldOf.ssl,
  ca: fieldOf.ca,
});

export const snowflake = {
  label: 'Snowflake',
  dialect: 'snowflake',
  aliases: ['snow'],
  credentials,
  capabilities: [
    ...(['comments', 'sizes', 'keys', 'tags', 'views', 'lineage', 'history'] as const),
    ...(['usage', 'measure', 'freshness'] as const),
  ],
  page: 'snowflake.md',
  isBeta: true,
  address: addressFrom(credentials, ({ account }) => `snowflake://${account.toLowerCase()}`),
  // They cancel, wait, and change; IDENTIFIER calls a function by a text.
  forbiddenCalls: /^(SYSTEM\$.*|IDENTIFIER|SNOWFLAKE\.CORTEX\..*|AI_.*)$/,
} as const satisfies ConnectorManifest;
