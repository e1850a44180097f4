// The routes of the operator: workspaces made, listed, changed, handed out, taken in and deleted.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { forgetViewers, pepperSetting } from '../auth/authentication.ts';
import type { Config } from '../config.ts';
import { backUpAttached } from '../database/backups/attached.ts';
import { openBackup } from '../database/backups/restore.ts';
import type { Database } from '../database/database.ts';
import { failureOf } from '../database/failure.ts';
import { CatalogError, invalid, invalidFields, notFound } from '../errors.ts';
import { readMessage } from '../http/body.ts';
import { limited } from '../limits/workspace-limits.ts';
import { makeAdminKey } from '../people/admin-key.ts';
import { deleteWorkspace } from '../people/workspaces/delete-workspace.ts';
import { importWorkspace } from '../people/workspaces/import-workspace.ts';
import {
  changeWorkspace,
  createWorkspace,
  listWorkspaces,
  type WorkspaceSize,
  workspaceById,
} from '../people/workspaces/workspaces.ts';

/** A request of the operator. */
interface Asked {
  /** The id that the path names; empty where it names none. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A route of the operator; `:id` in its path is the id of a workspace. */
export interface OperatorRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly answer: (asked: Asked) => Promise<void>;
}

const base = '/operator/workspaces';

/** All routes of the operator. They throw what the functions behind them throw. */
export function operatorRoutes(database: Database, config: Config): OperatorRoute[] {
  const one = async ({ id }: Pick<Asked, 'id'>) => {
    const found = (await listWorkspaces(database)).find((other) => other.id === id);
    if (!found) throw notFound('Workspace', id);
    return shown(found);
  };
  return [
    {
      ...{ method: 'GET', path: base },
      answer: async ({ response }) =>
        send(response, 200, { workspaces: (await listWorkspaces(database)).map(shown) }),
    },
    {
      ...{ method: 'POST', path: base },
      async answer({ request, response }) {
        const given = await read(request, config.MAX_BODY_BYTES, creation);
        const { id } = await createWorkspace(database, given);
        const { key } = await makeAdminKey(database, { email: given.email, workspace: id });
        send(response, 201, { ...(await one({ id })), key });
      },
    },
    {
      ...{ method: 'GET', path: `${base}/:id` },
      answer: async ({ id, response }) => send(response, 200, await one({ id })),
    },
    {
      ...{ method: 'PATCH', path: `${base}/:id` },
      async answer({ id, request, response }) {
        const given = await read(request, config.MAX_BODY_BYTES, change);
        await workspaceById(database, id);
        await changeWorkspace(database, id, given);
        await forgetViewers(database);
        send(response, 200, await one({ id }));
      },
    },
    {
      ...{ method: 'DELETE', path: `${base}/:id` },
      async answer({ id, response }) {
        await workspaceById(database, id);
        await deleteWorkspace(database, id);
        await forgetViewers(database);
        response.writeHead(204).end();
      },
    },
    {
      ...{ method: 'GET', path: `${base}/:id/export` },
      async answer({ id, response }) {
        const { name } = await workspaceById(database, id);
        await backUpAttached(config, {
          one: { choose: () => id, without: [pepperSetting] },
          onProgress: () => {},
          save: (bytes) => sendFile(response, bytes, name),
        });
      },
    },
    {
      ...{ method: 'POST', path: `${base}/import` },
      async answer({ request, query, response }) {
        const name = query.get('name') ?? undefined;
        const taken = await takeIn(database, request, name);
        send(response, 201, { ...(await one(taken)), audit_entries: taken.sealed });
      },
    },
  ];
}

const text = z.string('must be a text');
const creation = z.strictObject({ name: text, email: text });
const mostWords = 'must be a whole number from 0 to 999999999, or null for any number';
const most = z.int(mostWords).min(0, mostWords).max(999_999_999, mostWords).nullable();
const change = z.strictObject({
  name: text.exactOptional(),
  limits: z
    .strictObject({
      resources: most.exactOptional(),
      monitors: most.exactOptional(),
      writes_per_minute: most.exactOptional(),
      storage_mb: most.exactOptional(),
    })
    .exactOptional(),
});

/** The JSON of a body. Throws BAD_REQUEST for what is no JSON, and names each field that is wrong. */
async function read<T>(
  request: IncomingMessage,
  maxBytes: number,
  shape: z.ZodType<T>,
): Promise<T> {
  const body = await readMessage(request, maxBytes);
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch {
    throw invalid('The request body is not JSON.');
  }
  const { data, error } = shape.safeParse(given);
  if (!error) return data;
  throw invalidFields(
    error.issues.map(({ path, message }) => ({ field: path.join('.') || 'body', message })),
  );
}

/** Take in the file that a request sends. Throws UNPROCESSABLE with what is wrong with it; nothing is changed then. */
async function takeIn(database: Database, request: IncomingMessage, name: string | undefined) {
  try {
    await using backup = await openBackup(request);
    return await importWorkspace(database, backup, { name });
  } catch (error) {
    throw asRefusal(error);
  }
}

/** What is wrong with a file is said in a sentence by an error without a class of its own. */
function asRefusal(error: unknown): unknown {
  const isSentence = error instanceof Error && error.constructor === Error;
  if (!isSentence || failureOf(error.cause) !== null) return error;
  return new CatalogError('UNPROCESSABLE', error.message);
}

/** Send a file as it is made; what fails then cuts the answer, so that no half of it looks like the whole. */
async function sendFile(
  response: ServerResponse,
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): Promise<void> {
  const file = encodeURIComponent(`${name}.tar`);
  response.writeHead(200, {
    'content-type': 'application/x-tar',
    'content-disposition': `attachment; filename*=UTF-8''${file}`,
    'cache-control': 'no-store',
  });
  await pipeline(Readable.from(bytes, { objectMode: false }), response);
}

/** A workspace as the operator is shown it. */
function shown({ id, name, createdAt, users, uses }: WorkspaceSize) {
  const limits = Object.keys(limited).map((what) => {
    const use = uses.find((one) => one.what === what);
    return [what, { used: use?.used ?? 0, limit: use?.most ?? null }];
  });
  return { id, name, created_at: createdAt, users, ...Object.fromEntries(limits) };
}

function send(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}
