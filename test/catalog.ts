// The test kit: a workspace of its own on a real database, with people of every role and things to
// make.

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { App } from '../src/app.ts';
import { createRefusals } from '../src/audit/refusal.ts';
import { keyHasher } from '../src/auth/authentication.ts';
import { makeKey } from '../src/auth/key-form.ts';
import { type Role, roles } from '../src/auth/viewer.ts';
import { makeWorkspace } from '../src/auth/workspace.ts';
import { readConfig } from '../src/config.ts';
import { contextAcross, contextFor, type ServerContext } from '../src/context.ts';
import type { Database, LineageMemory } from '../src/database/database.ts';
import { transaction } from '../src/database/transaction.ts';
import type {
  CustomProperty,
  Group,
  Integration,
  Resource,
  Tag,
  Team,
  User,
} from '../src/generated/prisma/client.ts';
import { addKey } from '../src/people/first-admin.ts';
import { createGroup, type GroupInput } from '../src/people/group.ts';
import { holderOfKey } from '../src/people/sign-in.ts';
import { createUser, type UserInput } from '../src/people/user.ts';
import type { PropertyInput } from '../src/properties/definition.ts';
import { createProperty } from '../src/properties/property.ts';
import type { NewResource } from '../src/resources/editing/asked-changes.ts';
import { createResource } from '../src/resources/editing/edit.ts';
import type { Kind } from '../src/resources/kind.ts';
import { surroundingsOf } from '../src/surroundings.ts';
import { createTag, type TagInput } from '../src/tags/tag.ts';
import { createTeam, type TeamInput } from '../src/teams/team.ts';
import { atEnd } from './at-end.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { type Served, serveApp } from './serve.ts';
import type { TestSurroundings } from './surroundings.ts';
import { secretsKey } from './surroundings.ts';

/** A GraphQL answer, as a client gets it. */
export interface Answer {
  // What a query selects is known only to the test that asks.
  // biome-ignore lint/suspicious/noExplicitAny: tests read into answers of any shape.
  readonly data: any;
  readonly errors?: readonly {
    message: string;
    path?: (string | number)[];
    extensions: { code: string; fields?: { field: string; message: string }[] };
  }[];
  readonly extensions?: { readonly warnings?: readonly { field: string; message: string }[] };
}

/** A REST answer: its body as text, and parsed where it is JSON. */
export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // What an operation answers is known only to the test that asks.
  // biome-ignore lint/suspicious/noExplicitAny: tests read into answers of any shape.
  readonly body: any;
}

/** What a REST request sends: an object as JSON, anything else as it is. */
export interface RestOptions {
  readonly body?: object | string | FormData;
  readonly caller?: Caller;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whom a request acts for: a role, or a key; a null key sends none. */
export type Caller = { readonly as: Role } | { readonly key: string | null };

const asAdmin: Caller = { as: 'admin' };

atEnd.add(closeCatalogs);

export interface Catalog extends AsyncDisposable {
  readonly database: Database;
  /** Connections of the account that made the tables, for what the program itself may not do or see. */
  readonly owner: pg.Pool;
  /** What leads out of the program; a test may change it. */
  readonly surroundings: TestSurroundings;
  /** Address of the database on a PostgreSQL server. */
  readonly url: string;
  readonly workspaceId: string;
  /** A new context of the workspace's admin. */
  readonly admin: ServerContext;
  /** A new context of the workspace's user of a role, in the teams of this moment. */
  as(role: Role, teams?: readonly Team[]): ServerContext;
  /** The id of the workspace's user of a role. */
  idOf(role: Role): string;
  /** A new context of any user. */
  contextOf(user: User): ServerContext;
  /** The key of the workspace's user of a role. */
  keyOf(role: Role): string;
  /** Move the clock of every context; null sets it right again. */
  setTime(time: Date | null): void;
  user(input?: UserInput): Promise<User>;
  group(input?: GroupInput): Promise<Group>;
  team(input?: TeamInput): Promise<Team>;
  defaultTeam(): Promise<Team>;
  tag(input?: TagInput): Promise<Tag>;
  property(input?: PropertyInput): Promise<CustomProperty>;
  integration(
    input?: Partial<Pick<Integration, 'name' | 'type' | 'teamIds'>>,
  ): Promise<Integration>;
  /** A resource, a published table unless told otherwise. */
  resource(input?: NewResource & { kind?: Kind }): Promise<Resource>;
  /** Ask the GraphQL server over its own HTTP, as the admin unless told otherwise. */
  graphql(query: string, variables?: object, caller?: Caller): Promise<Answer>;
  /** Ask the REST API of the app, as the admin unless told otherwise; the path is below /api/v1. */
  rest(method: string, path: string, options?: RestOptions): Promise<RestAnswer>;
  /** Let the app listen on a port of the loopback; its origin. It ends with the test file. */
  listen(): Promise<string>;
  /** The app, with settings of its own where some are given before it is first asked for. */
  app(settings?: Readonly<Record<string, string>>): Promise<App>;
  /** Errors that were no client's business. */
  readonly unexpected: readonly unknown[];
  /** What some work answers, and the statements it sent to the database, but none of another `counting`. */
  counting<T>(work: () => Promise<T>): Promise<{ value: T; statements: string[] }>;
  /** Another workspace on the same database. */
  another(): Promise<Catalog>;
}

/** Whose statements are counted, of those that a test began within `counting`. */
const countings = new AsyncLocalStorage<string[]>();

let shared: Promise<Place> | undefined;

/**
 * Open a catalog: a new workspace on the database of this test file, or, where `alone`, on a
 * database of its own that is closed with it (for what reaches over workspaces, such as workers).
 * A file's tests share a database, which also shows that workspaces keep apart.
 */
export async function openCatalog({
  alone = false,
  ...options
}: {
  readonly alone?: boolean;
  /** Of a catalog that is alone. */
  readonly maxConnections?: number;
  readonly lineageMemory?: LineageMemory;
} = {}): Promise<Catalog> {
  if (alone) return openCatalogOn(await openTestDatabase(options));
  shared ??= openTestDatabase().then(placeOn);
  return workspaceOn(await shared, async () => {});
}

/** Open a catalog on a database, which is closed with it. */
export function openCatalogOn(test: TestDatabase): Promise<Catalog> {
  const place = placeOn(test);
  return workspaceOn(place, async () => place[Symbol.asyncDispose]());
}

/** A database, and what is to be done before it is closed. */
interface Place extends TestDatabase {
  /** Each writes what is noted and no one waited for. */
  readonly settling: (() => Promise<void>)[];
}

function placeOn(test: TestDatabase): Place {
  const settling: Place['settling'] = [];
  return {
    ...test,
    settling,
    async [Symbol.asyncDispose]() {
      for (const settle of settling) await settle();
      await test[Symbol.asyncDispose]();
    },
  };
}

interface Account {
  readonly id: string;
  readonly key: string;
}

async function workspaceOn(place: Place, close: () => Promise<void>): Promise<Catalog> {
  const { database, owner, surroundings, url, settling } = place;
  const { workspaceId, accounts } = await people(database);
  let time: Date | null = null;
  const now = () => time ?? new Date();
  const context = (id: string, role: Role, teamIds: readonly string[] = []): ServerContext => {
    const names = { email: `${role}@example.com`, firstName: role, lastName: 'Example' };
    const viewer = { id, workspaceId, role, ...names, teamIds, performer: 'API' } as const;
    return { ...contextFor(database, viewer, { now }), surroundings };
  };
  const account = (role: Role): Account => {
    const found = accounts.get(role);
    if (!found) throw new Error(`There is no ${role}.`);
    return found;
  };
  const admin = () => context(account('admin').id, 'admin');
  const named = (what: string) => `${what} ${randomUUID().slice(0, 8)}`;
  const unexpected: unknown[] = [];
  const onUnexpected = (error: unknown) => {
    unexpected.push(error);
    console.error(error);
  };
  let server: Promise<(request: Request) => Promise<Response>> | undefined;
  let app: Promise<App> | undefined;
  let served: Promise<Served> | undefined;
  const openApp = (settings = {}) => {
    app ??= startApp(place, now, onUnexpected, settings).then((started) => {
      settling.push(started.settle);
      return started;
    });
    return app;
  };
  const keyFor = (caller: Caller) => ('as' in caller ? account(caller.as).key : caller.key);

  return {
    database,
    owner,
    surroundings,
    url,
    workspaceId,
    get admin() {
      return admin();
    },
    as: (role, teams = []) =>
      context(
        account(role).id,
        role,
        teams.map(({ id }) => id),
      ),
    idOf: (role) => account(role).id,
    contextOf: (user) => context(user.id, roles.find((role) => role === user.role) ?? 'guest'),
    keyOf: (role) => account(role).key,
    setTime(moved) {
      time = moved;
    },
    user: (input = {}) => createUser(admin(), { email: `${randomUUID()}@example.com`, ...input }),
    group: (input = {}) => createGroup(admin(), { name: named('group'), ...input }),
    team: (input = {}) => createTeam(admin(), { name: named('team'), ...input }),
    defaultTeam: () =>
      database.prisma.team.findFirstOrThrow({ where: { workspaceId, isDefaultTeam: true } }),
    tag: (input = {}) => createTag(admin(), { name: named('tag'), ...input }),
    property: (input = {}) => createProperty(admin(), { name: named('property'), ...input }),
    integration: (input = {}) =>
      database.prisma.integration.create({
        data: { workspaceId, name: named('integration'), type: 'custom', ...input },
      }),
    resource: ({ kind = 'table', ...input } = {}) =>
      createResource(admin(), kind, { title: named(kind), published: true, ...input }),
    async graphql(query, variables = {}, caller = asAdmin) {
      server ??= openServer(place, now, onUnexpected);
      return ask(await server, keyFor(caller), query, variables);
    },
    async rest(method, path, { body, caller = asAdmin, headers = {} } = {}) {
      const api = await (await openApp()).rest();
      const key = keyFor(caller);
      const request = new Request(`http://catalog.test/api/v1${path}`, {
        method,
        headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
        ...(body === undefined ? {} : { body: asBody(body) }),
      });
      return answerOf(await api.fetch(request));
    },
    async listen() {
      served ??= countings.exit(() => openApp().then(serveApp));
      servers.add(await served);
      return (await served).base;
    },
    app: openApp,
    unexpected,
    async counting(work) {
      const statements: string[] = [];
      const stop = database.onStatement((text) => {
        // What an earlier test that timed out still sends is counted there.
        if ((countings.getStore() ?? statements) === statements) statements.push(text);
      });
      try {
        return { value: await countings.run(statements, work), statements };
      } finally {
        stop();
      }
    },
    another: () => workspaceOn(place, async () => {}),
    [Symbol.asyncDispose]: close,
  };
}

/** A workspace with one user of each role, all of whom have keys. */
async function people(database: Database) {
  const ctx = contextAcross(database);
  const hashOf = await keyHasher(database);
  return transaction(ctx, async (tx) => {
    const first = { name: 'Test', email: 'admin@example.com' };
    const { workspaceId, userId } = await makeWorkspace(tx, first);
    const others = roles
      .filter((role) => role !== 'admin')
      .map((role) => ({ role, id: randomUUID() }));
    await tx.db.user.createMany({
      data: others.map(({ role, id }) => ({
        workspaceId,
        id,
        role,
        email: `${role}@example.com`,
        firstName: role,
        lastName: 'Example',
      })),
    });
    const accounts = new Map<Role, Account>();
    for (const { role, id } of [{ role: 'admin' as const, id: userId }, ...others]) {
      const key = makeKey(workspaceId);
      await addKey(tx, { workspaceId, userId: id, name: role, key, hash: hashOf(key) });
      accounts.set(role, { id, key });
    }
    return { workspaceId, accounts };
  });
}

// Loaded only where a test asks the server: the schema takes a while.
async function openServer(
  { database, surroundings, settling }: Place,
  now: () => Date,
  onUnexpected: (error: unknown) => void,
) {
  const { createGraphQL } = await import('../src/graphql/yoga.ts');
  const refusals = createRefusals({ database, onUnexpected });
  settling.push(refusals.settle);
  const yoga = createGraphQL({
    database,
    refusals,
    surroundings,
    authenticate: (key) => holderOfKey(database, key, now()),
    now,
    onUnexpected,
  });
  return async (request: Request) => yoga.fetch(request);
}

const servers = new Set<Served>();
const dataDir = join(tmpdir(), `headwater-test-${randomUUID()}`);

async function startApp(
  { database, surroundings }: TestDatabase,
  now: () => Date,
  onUnexpected: (error: unknown) => void,
  settings: Readonly<Record<string, string>>,
): Promise<App> {
  const { createApp } = await import('../src/app.ts');
  // A test asks in a minute what people ask in a day.
  const bounds = { MEMBER_WRITES_PER_MINUTE: '100000' };
  const config = readConfig({ DATA_DIR: dataDir, SECRETS_KEY: secretsKey, ...bounds, ...settings });
  if (Object.keys(settings).length > 0) Object.assign(surroundings, surroundingsOf(config));
  return createApp({ database, surroundings, config, now, onUnexpected });
}

/** End what the tests of a file shared. */
async function closeCatalogs(): Promise<void> {
  for (const server of servers) await server[Symbol.asyncDispose]();
  servers.clear();
  const ended = await shared;
  shared = undefined;
  await ended?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
}

function asBody(body: object | string | FormData): string | FormData {
  return typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body);
}

/** A response, read to its end. */
async function answerOf(response: Response): Promise<RestAnswer> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = /json/.test(headers.get('content-type') ?? '');
  return { status, headers, text, body: isJson && text !== '' ? JSON.parse(text) : undefined };
}

async function ask(
  serve: (request: Request) => Promise<Response>,
  key: string | null,
  query: string,
  variables: object,
): Promise<Answer> {
  const response = await serve(
    new Request('http://catalog.test/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ query, variables }),
    }),
  );
  // A GraphQL answer is what it is: whether it has the asked shape is the test's to say.
  return (await response.json()) as Answer;
}
