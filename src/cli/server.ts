// The server that the command line asks: where it is, with which key, and what its answers mean.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** What the command ends with: see docs/command-line.md. */
export const exits = {
  done: 0,
  failed: 1,
  usage: 2,
  'not allowed': 3,
  'not found': 4,
  'not reachable': 5,
  'check says no': 10,
} as const;

/** Ends the command with a code and a message. */
export class CommandEnd extends Error {
  readonly code: number;
  constructor(why: keyof typeof exits, message: string) {
    super(message);
    this.code = exits[why];
  }
}

/** Where the address and the key are kept that `login` was given. */
const settingsPath = () =>
  join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'headwater', 'login.json');

/** Keep an address and a key for the next commands, in a file that only its owner reads. */
export async function keepLogin(url: string, key: string): Promise<string> {
  const path = settingsPath();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${JSON.stringify({ url, key })}\n`, { mode: 0o600 });
  return path;
}

async function login(): Promise<Partial<Record<string, unknown>>> {
  try {
    return JSON.parse(await readFile(settingsPath(), 'utf8'));
  } catch {
    return {};
  }
}

/** The address of the server, and the key. The environment counts before what `login` kept. */
async function target(): Promise<{ url: string; key: string }> {
  const kept = await login();
  const url = process.env.HEADWATER_URL || String(kept.url ?? '');
  if (!URL.canParse(url)) {
    throw new CommandEnd(
      'usage',
      'Set HEADWATER_URL to the address of the server, or run: headwater login URL',
    );
  }
  // A key goes to the server that it was kept for, and to no other.
  const isKeptOne = kept.url === url;
  const key = process.env.HEADWATER_KEY || (isKeptOne ? String(kept.key ?? '') : '');
  if (key === '')
    throw new CommandEnd('usage', 'Set HEADWATER_KEY to an API key, or run: headwater login URL');
  return { url: url.replace(/\/+$/, ''), key };
}

const refusals: Readonly<Record<string, keyof typeof exits>> = {
  UNAUTHENTICATED: 'not allowed',
  FORBIDDEN: 'not allowed',
  NOT_FOUND: 'not found',
};

/** Send a request below the address. Throws `CommandEnd` where no server answers. */
async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const { url, key } = await target();
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${key}`);
  try {
    return await fetch(url + path, { ...init, headers });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    throw new CommandEnd('not reachable', `${url} does not answer. ${cause}`.trim());
  }
}

/** What GraphQL answers. Throws `CommandEnd` with the first error of it. */
export async function ask<Data>(query: string, variables: object = {}): Promise<Data> {
  const response = await send('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  if (!isJson(response)) throw notOurs(response);
  const answer: { data: Data; errors?: { message: string; extensions?: { code?: string } }[] } =
    JSON.parse(await response.text());
  const [error] = answer.errors ?? [];
  if (!error) return answer.data;
  throw new CommandEnd(refusals[error.extensions?.code ?? ''] ?? 'failed', error.message);
}

/** What a status of HTTP ends the command with; all else has failed. */
export const statuses: Readonly<Record<number, keyof typeof exits>> = {
  401: 'not allowed',
  403: 'not allowed',
  404: 'not found',
};

/** The text that REST answers. Throws `CommandEnd` with what its problem says. */
export async function rest(path: string, init: RequestInit = {}): Promise<string> {
  const response = await send(`/api/v1${path}`, init);
  const text = await response.text();
  if (response.ok) return text;
  if (!isJson(response)) throw notOurs(response);
  throw new CommandEnd(statuses[response.status] ?? 'failed', String(JSON.parse(text).detail));
}

const isJson = ({ headers }: Response) => headers.get('content-type')?.includes('json') ?? false;

/** What stands between here and the server, such as a proxy, answers in its own way. */
function notOurs({ url, status }: Response): CommandEnd {
  const { origin } = new URL(url);
  return new CommandEnd('not reachable', `${origin} answers ${status}, but not as Headwater does.`);
}
