// Answers over HTTP what signing in needs besides GraphQL: providers and the way back, codes, signing out.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusals } from '../audit/refusal.ts';
import { keyHasher } from '../auth/authentication.ts';
import { type ErrorCode, retryAfterSeconds, statusOf } from '../errors.ts';
import { clientErrorOf } from '../graphql/masking.ts';
import { sendProblem } from '../http/problem.ts';
import {
  type CookieSeal,
  createCookieSeal,
  pendingCookie,
  readCookie,
  setCookie,
} from '../sign-in/cookie.ts';
import { countSignIn } from '../sign-in/figures.ts';
import { type HeaderReader, originOf } from '../sign-in/origin.ts';
import { createOpenIdProvider, type OpenIdProvider } from '../sign-in/provider.ts';
import { noteRefusedSignIn, SignInRefused } from '../sign-in/refused.ts';
import {
  type BrowserRequest,
  beginAtProvider,
  finishAtProvider,
  type SignInAnswer,
  type SignInParts,
  signInWithCode,
  signOut,
} from '../sign-in/sign-in-step.ts';
import { currentRequestId, currentSource, noteError, noteSubject } from '../tracing/request.ts';
import { sendNotice } from './notice.ts';

/** What the routes need. */
export interface SignInRouteOptions extends Omit<SignInParts, 'seal'> {
  readonly refusals: Refusals;
  readonly onUnexpected: (error: unknown) => void;
}

/** Answers requests of people who sign in or out. */
export interface SignInRoutes {
  /** Whether it answers a request. */
  answers(request: IncomingMessage, path: string): boolean;
  /** Answer one that it does. */
  handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
  /** Ask each provider whether it is there, and tell the operator where one is not. */
  check(): Promise<void>;
}

type Providers = ReadonlyMap<string, OpenIdProvider>;

const codePath = '/sign-in/code';
const outPath = '/sign-out';
const providerPath = /^\/sign-in\/([a-z0-9-]{1,40})(\/callback)?$/;
/** People who come back from one provider at once; each costs a few requests to it. */
const maxReturning = 20;

/** The routes of one process. */
export function createSignInRoutes({
  refusals,
  onUnexpected,
  ...options
}: SignInRouteOptions): SignInRoutes {
  const { database, settings, now, onNotice } = options;
  const providers: Providers = new Map(
    settings.providers.map((one) => [one.id, createOpenIdProvider(one)]),
  );
  const parts: SignInParts = { ...options, seal: lazySeal(options) };
  const dispatch = dispatcher(parts, providers);
  return {
    answers({ method }, path) {
      if (path === outPath || path === codePath) return method === 'POST';
      return providerPath.test(path);
    },
    async handle(request, response, path) {
      const signInMethod = signInMethodOf(path, providers);
      noteSubject(`${request.method} ${path === outPath ? path : `/sign-in/${signInMethod}`}`);
      const browserRequest = browserRequestOf(request, parts);
      try {
        reply(response, await dispatch(browserRequest, request.method ?? '', path));
      } catch (error) {
        if (error instanceof SignInRefused && path !== outPath) {
          countSignIn(database, signInMethod, error.reason);
          if (error.detail !== null)
            onNotice(`A sign-in by ${signInMethod} was refused: ${error.detail}`);
          if (isSpent(error, path))
            response.setHeader('set-cookie', setCookie(browserRequest, pendingCookie, null));
          const tried = { method: signInMethod, ...currentSource(), now };
          noteRefusedSignIn(refusals, tried, error);
        }
        refuse(request, response, errorReplyOf(error, onUnexpected));
      }
    },
    async check() {
      for (const { check, settings: one } of providers.values()) {
        await check().catch((error: unknown) => {
          const why = error instanceof SignInRefused ? (error.detail ?? error.message) : error;
          onNotice(`Signing in with ${one.name} (${one.id}) does not work for now: ${why}`);
        });
      }
    },
  };
}

/** Answers one request after the other; throws `SignInRefused` and what the database throws. */
function dispatcher(
  parts: SignInParts,
  providers: Providers,
): (browserRequest: BrowserRequest, method: string, path: string) => Promise<SignInAnswer> {
  // By provider, so that a slow one keeps only its own people waiting.
  const returning = new Map([...providers.keys()].map((id) => [id, new Set<string>()]));
  return async (browserRequest, method, path) => {
    if (path === outPath) return signOut(parts, browserRequest);
    if (path === codePath) return signInWithCode(parts, browserRequest);
    const [, id = '', back] = providerPath.exec(path) ?? [];
    const provider = providers.get(id);
    if (!provider) {
      throw new SignInRefused('settings', 'There is no such way to sign in here any more.');
    }
    if (method !== 'GET') throw new SignInRefused('state', 'Open this address in a browser.');
    if (!back) return beginAtProvider(parts, browserRequest, provider);
    const others = returning.get(id) ?? new Set();
    // A browser has one sign-in under way: what its cookie was sent with already is being asked.
    const browser =
      readCookie(browserRequest, pendingCookie, browserRequest.header('cookie')) ?? '';
    if (others.size >= maxReturning || others.has(browser)) {
      throw new SignInRefused('busy', 'Many people sign in right now. Try again in a moment.');
    }
    others.add(browser);
    try {
      return await finishAtProvider(parts, browserRequest, provider);
    } finally {
      others.delete(browser);
    }
  };
}

/** Made of the pepper, which the database has, so that every process opens what another one sealed. */
function lazySeal({ database }: Pick<SignInParts, 'database'>): SignInParts['seal'] {
  let seal: Promise<CookieSeal> | null = null;
  return () => {
    seal ??= keyHasher(database).then((hashOf) => createCookieSeal(Buffer.from(hashOf('sign-in'))));
    seal.catch(() => {
      seal = null;
    });
    return seal;
  };
}

function browserRequestOf(
  { headers, url = '/' }: IncomingMessage,
  { settings }: SignInParts,
): BrowserRequest {
  const header: HeaderReader = (name) => [headers[name] ?? []].flat()[0];
  const origin = originOf(settings, header);
  const at = URL.canParse(url, origin) ? new URL(url, origin) : new URL(origin);
  return { header, origin, at, ...currentSource() };
}

/** Who signs in by what: of names that the operator gave alone. */
function signInMethodOf(path: string, providers: Providers): string {
  const [, id = ''] = providerPath.exec(path) ?? [];
  if (id === 'code') return 'link';
  return providers.has(id) ? id : '(unknown)';
}

const unkept = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

function reply(response: ServerResponse, { to, cookies }: SignInAnswer): void {
  const headers = { ...unkept, 'set-cookie': [...cookies] };
  if (to === null) response.writeHead(204, headers).end();
  else response.writeHead(303, { ...headers, location: to }).end();
}

/**
 * Whether a sign-in under way has come to its end by this. Anyone who comes back with another state did not come from it, and
 * whom many others keep waiting tries again.
 */
function isSpent({ reason }: SignInRefused, path: string): boolean {
  const [, , back] = providerPath.exec(path) ?? [];
  return back !== undefined && reason !== 'state' && reason !== 'busy';
}

/** What is said of an error, to people. */
interface ErrorReply {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** Say to a person on a page, and to our own page as a problem, why it did not work. */
function refuse(request: IncomingMessage, response: ServerResponse, reply: ErrorReply): void {
  const { status, code, message } = reply;
  const title = 'You are not signed in';
  if (request.method === 'POST') {
    const again = code === 'TOO_MANY_REQUESTS' ? { 'retry-after': String(retryAfterSeconds) } : {};
    sendProblem(response, { code, detail: message, title, headers: { ...unkept, ...again } });
    return;
  }
  noteError('other', code);
  sendNotice(request, response, { status, title, message, requestId: currentRequestId() });
}

function errorReplyOf(error: unknown, onUnexpected: (error: unknown) => void): ErrorReply {
  if (error instanceof SignInRefused) {
    const code = error.reason === 'busy' ? 'TOO_MANY_REQUESTS' : 'FORBIDDEN';
    return { status: statusOf(code), code, message: error.message };
  }
  const known = clientErrorOf(error);
  if (known) return { status: statusOf(known.code), code: known.code, message: known.message };
  onUnexpected(error);
  const message = 'Something went wrong on the server. Try again.';
  return { status: 500, code: 'INTERNAL_SERVER_ERROR', message };
}
