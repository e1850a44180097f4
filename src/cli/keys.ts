// The commands for API keys.

import { print } from './print.ts';
import { ask } from './server.ts';

interface Key {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
}

/** `keys list`. */
export async function listKeys(flags: { readonly json?: boolean }): Promise<void> {
  const { apiKeys } = await ask<{ apiKeys: { nodes: Key[] } }>(
    '{ apiKeys(first: 200) { nodes { id name prefix scopes expiresAt lastUsedAt lastUsedFrom revokedAt } } }',
  );
  const words = ({ prefix, name, scopes, expiresAt, id }: Key) =>
    [`${prefix}…`, name, scopes.join(','), expiresAt ?? 'never expires', id].join('\t');
  print(flags, apiKeys.nodes, apiKeys.nodes.map(words).join('\n'));
}

/** `keys create`: the key goes to the standard output alone, so that a program can take it. */
export async function makeKey(
  name: string,
  flags: { scope?: string[]; into?: string },
): Promise<void> {
  const input = { name, scopes: flags.scope ?? ['READ'], integrationId: flags.into };
  const { createApiKey } = await ask<{ createApiKey: { key: string } }>(
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key } }',
    { input },
  );
  console.log(createApiKey.key);
}

/** `keys rotate`. */
export async function rotateKey(id: string): Promise<void> {
  const { rotateApiKey } = await ask<{ rotateApiKey: { key: string } }>(
    'mutation ($id: ID!) { rotateApiKey(id: $id) { key } }',
    { id },
  );
  console.log(rotateApiKey.key);
}

/** `keys revoke`. */
export async function revokeKey(id: string): Promise<void> {
  await ask('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', { id });
}
