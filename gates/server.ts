// The server that a gate is done to, on a data folder of its own.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Started, startScript } from '../test/started.ts';

export interface GateServer extends AsyncDisposable {
  readonly address: string;
  readonly started: Started;
  readonly dataDir: string;
  /** The first admin's key. */
  readonly key: string;
  /** The key of a viewer. */
  readonly viewerKey: string;
}

export interface GateServerOptions {
  readonly settings?: Readonly<Record<string, string>>;
}

const longestTask = new URL('longest-task.mjs', import.meta.url).href;

/** Start a server on a database of its own, with an admin and a viewer. */
export async function startForGate(options: GateServerOptions = {}): Promise<GateServer> {
  const { settings = {} } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-gate-'));
  const key = `gate-${randomUUID()}`;
  const env = {
    ...{ DATA_DIR: dataDir, ADMIN_API_KEY: key, LOG_LEVEL: 'error' },
    // What a gate leaves open ends within its time.
    ...{ KEEP_ALIVE_SECONDS: '10', ...settings },
  };
  const measured = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${longestTask}` };
  const started = startScript('start.mjs', { ...env, ...measured });
  const end = async () => {
    // What it is busy with is not waited for.
    await started.stop('SIGINT');
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const address = await started.ready();
    const viewerKey = await keyOfNew(address, key, {
      ...{ email: 'viewer@example.com', role: 'viewer' },
    });
    return { ...{ address, started, dataDir, key, viewerKey }, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The key of a new user of a role, made by an admin. */
export async function keyOfNew(
  address: string,
  adminKey: string,
  input: { readonly email: string; readonly role: 'viewer' | 'editor' },
): Promise<string> {
  const user = await ask<{ createUser: { id: string } }>(
    address,
    adminKey,
    'mutation ($input: CreateUserInput!) { createUser(input: $input) { id } }',
    { input },
  );
  const made = await ask<{ createApiKey: { key: string } }>(
    address,
    adminKey,
    'mutation ($id: ID!) { createApiKey(input: { userId: $id, name: "Gate", scopes: [ADMIN] }) { key } }',
    { id: user.createUser.id },
  );
  return made.createApiKey.key;
}

/** Ask over GraphQL; throws what the server says where it refuses. */
export async function ask<T>(
  address: string,
  key: string,
  query: string,
  variables: object = {},
): Promise<T> {
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(`${response.status}: ${JSON.stringify(errors)}`);
  return data;
}
