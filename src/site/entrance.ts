// Answers what signing in needs beside GraphQL: the ways to providers and back, one-time codes, signing out.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { viewerOfUser } from '../auth/account.ts';
import { keyHasher } from '../auth/authentication.ts';
import type { Viewer } from '../auth/viewer.ts';
import { type Context, contextFor } from '../context.ts';
import type { Database } from '../database/database.ts';
import { inWorkspace } from '../database/outside.ts';
import { clientErrorOf } from '../graphql/masking.ts';
import { statusOf } from '../errors.ts';
import type { Codes } from '../sign-in/code.ts';
import {
  createSeal,
  pendingCookie,
  readCookie,
  type Seal,
  sessionCookie,
  setCookie,
} from '../sign-in/cookie.ts';
import { countSignIn } from '../sign-in/figures.ts';
import type { Gate } from '../sign-in/gate.ts';
import { foreignness, type HeaderReader, originOf, pathWithin } from '../sign-in/origin.ts';
import { personOf } from '../sign-in/person.ts';
import { createProvider, type Provider } from '../sign-in/provider.ts';
import { SignInRefused } from '../sign-in/refused.ts';
import { type Arrival, beginSession, deactivated, endSession } from '../sign-in/sessions.ts';
import type { SignInSettings } from '../sign-in/settings.ts';
import { currentRequestId, noteError, noteSubject } from '../tracing/request.ts';
import { sendNotice } from './notice.ts';

/** What the entrance is made of. */
export interface EntranceOptions {
  readonly database: Database;
  readonly settings: SignInSettings;
  readonly gate: Gate;
  readonly codes: Codes;
  readonly now: () => Date;
  /** Told of what keeps somebody from signing in, in words for the operator. */
  readonly onNotice: (message: string) => void;
  readonly onUnexpected: (error: unknown) => void;
}

/** Where people come in. */
export interface Entrance {
  /** Whether it answers a request. */
  answers(request: IncomingMessage, path: string): boolean;
  /** Answer one that it does. */
  handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
  /** Ask each provider whether it is there, and tell the operator where one is not. */
  check(): Promise<void>;
}

const places = /^\/sign-in\/([a-z0-9-]{1,40})(\/callback)?$/;
/** Header of a one-time code. */
const codeHeader = 'x-headwater-code';
/** People who come back from providers at once; each costs a few requests to one. */
const maxReturning = 20;

/** One request, where its browser reaches this server, and its answer. */
interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly header: HeaderReader;
  readonly origin: string;
}

/** The entrance of one process. */
export function createEntrance(options: EntranceOptions): Entrance {
  const { database, settings, gate, codes, now, onNotice } = options;
  const providers = new Map(settings.providers.map((one) => [one.id, createProvider(one)]));
  const kind = sessionCookie(settings.sessions.maxAgeMs);
  let seal: Promise<Seal> | null = null;
  let returning = 0;

  function sealOf(): Promise<Seal> {
    seal ??= keyHasher(database).then((hashOf) => createSeal(Buffer.from(hashOf('sign-in'))));
    seal.catch(() => {
      seal = null;
    });
    return seal;
  }

  /** Send somebody to a provider. */
  async function leave({ request, response, origin }: Turn, provider: Provider): Promise<void> {
    const { id } = provider.settings;
    const { to, checks } = await provider.begin(`${origin}/sign-in/${id}/callback`);
    const wanted = new URL(request.url ?? '/', origin).searchParams.get('to');
    const pending = { provider: id, to: pathWithin(origin, wanted), at: now().getTime(), ...checks };
    const cookie = setCookie({ origin }, pendingCookie, (await sealOf()).seal(pending));
    redirect(response, to.href, [cookie]);
  }

  /** Let somebody in who comes back from a provider. */
  async function comeBack(turn: Turn, provider: Provider): Promise<void> {
    const { request, response, header, origin } = turn;
    const { id, name } = provider.settings;
    const at = new URL(request.url ?? '/', origin);
    const sealed = readCookie({ origin }, pendingCookie, header('cookie'));
    const pending = sealed === null ? null : (await sealOf()).open(sealed, now());
    if (!pending || pending.provider !== id || pending.state !== at.searchParams.get('state')) {
      throw new SignInRefused(
        'state',
        'This sign-in was not begun in this browser, another one was begun after it, or it took longer than ' +
          'ten minutes. Go back and try again.',
      );
    }
    const claims = await provider.finish(at, pending);
    const person = { database, settings: provider.settings, claims, now, onNotice };
    const viewer = await personOf(person);
    const cookie = await begin(turn, viewer, { way: id, says: `with ${name}` });
    redirect(response, pending.to, [cookie, setCookie({ origin }, pendingCookie, null)]);
  }

  async function begin(
    { header, origin }: Turn,
    viewer: Viewer,
    arrival: Omit<Arrival, 'userAgent'>,
  ): Promise<string> {
    const userAgent = header('user-agent') ?? '';
    const ctx = contextOf(viewer);
    const secret = await beginSession(ctx, { ...arrival, userAgent }, settings.sessions);
    countSignIn(database, arrival.way, 'ok');
    return setCookie({ origin }, kind, secret);
  }

  function contextOf(viewer: Viewer): Context {
    return contextFor(database, viewer, { now, requestId: currentRequestId() });
  }

  /** Let somebody in by a one-time code, which our own page sends. */
  async function takeCode(turn: Turn): Promise<void> {
    mustBeOurs(turn);
    const { workspaceId, userId } = codes.use(turn.header(codeHeader) ?? '', now());
    const viewer = await viewerOfUser(inWorkspace(database, workspaceId), workspaceId, userId);
    if (!viewer) throw deactivated();
    const person: Viewer = { ...viewer, performer: 'USER' };
    const cookie = await begin(turn, person, { way: 'link', says: 'with a one-time link' });
    turn.response.writeHead(204, { ...unkept, 'set-cookie': cookie }).end();
  }

  /** End the session of the browser, and take its cookie away. */
  async function signOut(turn: Turn): Promise<void> {
    mustBeOurs(turn);
    const secret = readCookie(turn, kind, turn.header('cookie'));
    const viewer = secret === null ? null : await gate.viewerOf(secret, false);
    if (viewer?.sessionId) await endSession(contextOf(viewer), viewer.sessionId);
    turn.response.writeHead(204, { ...unkept, 'set-cookie': setCookie(turn, kind, null) }).end();
  }

  function mustBeOurs({ header, origin }: Turn): void {
    const why = foreignness(origin, header);
    if (why !== null) throw new SignInRefused('state', why);
  }

  async function answer(turn: Turn, path: string): Promise<void> {
    const { request } = turn;
    if (path === '/sign-out') return signOut(turn);
    if (path === '/sign-in/code') return takeCode(turn);
    const [, id = '', back] = places.exec(path) ?? [];
    const provider = providers.get(id);
    if (!provider) {
      throw new SignInRefused('settings', 'There is no such way to sign in here any more.');
    }
    if (request.method !== 'GET') throw new SignInRefused('state', 'Use GET.');
    if (!back) return leave(turn, provider);
    if (returning >= maxReturning) {
      throw new SignInRefused('busy', 'Many people sign in right now. Try again in a moment.');
    }
    returning += 1;
    try {
      await comeBack(turn, provider);
    } finally {
      returning -= 1;
    }
  }

  return {
    answers({ method }, path) {
      if (path === '/sign-out' || path === '/sign-in/code') return method === 'POST';
      return places.test(path);
    },
    async handle(request, response, path) {
      const header: HeaderReader = (name) => {
        const value = request.headers[name];
        return typeof value === 'string' ? value : undefined;
      };
      const way = wayOf(path, providers);
      noteSubject(`${request.method} ${path.startsWith('/sign-in/') ? `/sign-in/${way}` : path}`);
      try {
        const origin = originOf(settings, header);
        await answer({ request, response, header, origin }, path);
      } catch (error) {
        if (error instanceof SignInRefused && path !== '/sign-out') {
          countSignIn(database, way, error.reason);
          if (error.detail !== null) onNotice(`Sign-in by ${way} was refused: ${error.detail}`);
        }
        refuse(request, response, error, options.onUnexpected);
      }
    },
    async check() {
      for (const { check, settings: one } of providers.values()) {
        await check().catch((error: unknown) => {
          const why = error instanceof SignInRefused ? (error.detail ?? error.message) : error;
          onNotice(`Nobody can sign in with ${one.name} (${one.id}) for now: ${why}`);
        });
      }
    },
  };
}

/** Who signs in by what: of names that the operator gave alone. */
function wayOf(path: string, providers: ReadonlyMap<string, Provider>): string {
  const [, id = ''] = places.exec(path) ?? [];
  if (id === 'code') return 'link';
  return providers.has(id) ? id : '(unknown)';
}

const unkept = { 'cache-control': 'no-store' };

function redirect(response: ServerResponse, location: string, cookies: string[]): void {
  const headers = { ...unkept, 'referrer-policy': 'no-referrer', 'set-cookie': cookies, location };
  response.writeHead(303, headers).end();
}

/** Say to a person on a page, and to our own page as a problem, why it did not work. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  onUnexpected: (error: unknown) => void,
): void {
  const { status, message } = saidOf(error, onUnexpected);
  const code = status === 503 ? 'UNAVAILABLE' : 'FORBIDDEN';
  noteError('other', status === 500 ? 'INTERNAL_SERVER_ERROR' : code);
  const requestId = currentRequestId();
  const title = 'You are not signed in';
  if (request.method !== 'POST') {
    return sendNotice(request, response, { status, title, message, requestId });
  }
  response.writeHead(status, { ...unkept, 'content-type': 'application/problem+json' });
  response.end(
    JSON.stringify({ type: 'about:blank', title, status, detail: message, code, request_id: requestId }),
  );
}

function saidOf(
  error: unknown,
  onUnexpected: (error: unknown) => void,
): { readonly status: number; readonly message: string } {
  if (error instanceof SignInRefused) {
    return { status: error.reason === 'busy' ? 429 : 403, message: error.message };
  }
  const known = clientErrorOf(error);
  if (known) return { status: statusOf(known.code), message: known.message };
  onUnexpected(error);
  return { status: 500, message: 'Something went wrong on the server. Try again.' };
}
