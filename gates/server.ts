// In charge of the server that a gate of bounds is done to: the built one, or its sources without bounds.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Started, startProgram, startScript } from '../test/started.ts';

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
  /** For the negative control: nothing is cut, refused or done in turns. */
  readonly withoutBounds?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

const longestTask = new URL('longest-task.mjs', import.meta.url).href;
const unbounded = {
  REQUEST_TIMEOUT_MS: '3600000',
  REQUEST_DATABASE_MS: '3600000',
  REQUESTS_PER_KEY: '1000',
};

/** Start a server on a database of its own, with an admin and a viewer. */
export async function startForGate(options: GateServerOptions = {}): Promise<GateServer> {
  const { withoutBounds = false, settings = {} } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-gate-'));
  const key = `gate-${randomUUID()}`;
  const env = { DATA_DIR: dataDir, ADMIN_API_KEY: key, LOG_LEVEL: 'error', ...settings };
  // The bounds are taken out of the sources before these are compiled.
  const imports = ['./gates/without-bounds.mjs', 'tsx'].flatMap((one) => ['--import', one]);
  const measured = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${longestTask}` };
  const started = withoutBounds
    ? startProgram(process.execPath, [...imports, 'src/main.ts'], {
        ...env,
        ...measured,
        ...unbounded,
      })
    : startScript('start.mjs', { ...env, ...measured });
  const end = async () => {
    // What it is busy with is not waited for.
    await started.stop('SIGINT');
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const address = await started.ready();
    const viewerKey = await makeViewer(address, key);
    return { ...{ address, started, dataDir, key, viewerKey }, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The key of a new viewer. */
async function makeViewer(address: string, key: string): Promise<string> {
  const user = await ask<{ createUser: { id: string } }>(
    address,
    key,
    'mutation { createUser(input: { email: "viewer@example.com", role: viewer }) { id } }',
  );
  const made = await ask<{ createApiKey: { key: string } }>(
    address,
    key,
    'mutation ($id: ID!) { createApiKey(userId: $id, name: "Gate") { key } }',
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
