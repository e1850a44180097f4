// Answers over HTTP what signing in needs beside GraphQL: the ways to providers and back, codes, signing out.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { keyHasher } from '../auth/authentication.ts';
import { statusOf } from '../errors.ts';
import { clientErrorOf } from '../graphql/masking.ts';
import { createSeal, type Seal } from '../sign-in/cookie.ts';
import { countSignIn } from '../sign-in/figures.ts';
import { type HeaderReader, originOf } from '../sign-in/origin.ts';
import { createProvider, type Provider } from '../sign-in/provider.ts';
import { SignInRefused } from '../sign-in/refused.ts';
import {
  comeBack,
  type House,
  leaveFor,
  signOut,
  type Told,
  type Turn,
  takeCode,
} from '../sign-in/ways.ts';
import { currentRequestId, noteError, noteSubject } from '../tracing/request.ts';
import { sendNotice } from './notice.ts';

/** What the entrance is made of. */
export interface EntranceOptions extends Omit<House, 'seal'> {
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

type Providers = ReadonlyMap<string, Provider>;

const codePath = '/sign-in/code';
const outPath = '/sign-out';
const providerPath = /^\/sign-in\/([a-z0-9-]{1,40})(\/callback)?$/;
/** People who come back from providers at once; each costs a few requests to one. */
const maxReturning = 20;

/** The entrance of one process. */
export function createEntrance({ onUnexpected, ...options }: EntranceOptions): Entrance {
  const { database, settings, onNotice } = options;
  const providers: Providers = new Map(
    settings.providers.map((one) => [one.id, createProvider(one)]),
  );
  const house: House = { ...options, seal: sealLater(options) };
  const enter = doorOf(house, providers);
  return {
    answers({ method }, path) {
      if (path === outPath || path === codePath) return method === 'POST';
      return providerPath.test(path);
    },
    async handle(request, response, path) {
      const way = wayOf(path, providers);
      noteSubject(`${request.method} ${path === outPath ? path : `/sign-in/${way}`}`);
      try {
        tell(response, await enter(turnOf(request, house), request.method ?? '', path));
      } catch (error) {
        if (error instanceof SignInRefused && path !== outPath) {
          countSignIn(database, way, error.reason);
          if (error.detail !== null) onNotice(`A sign-in by ${way} was refused: ${error.detail}`);
        }
        refuse(request, response, saidOf(error, onUnexpected));
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

/** Lets one request after the other in; throws what is to be said where it does not. */
function doorOf(
  house: House,
  providers: Providers,
): (turn: Turn, method: string, path: string) => Promise<Told> {
  let returning = 0;
  return async (turn, method, path) => {
    if (path === outPath) return signOut(house, turn);
    if (path === codePath) return takeCode(house, turn);
    const [, id = '', back] = providerPath.exec(path) ?? [];
    const provider = providers.get(id);
    if (!provider) {
      throw new SignInRefused('settings', 'There is no such way to sign in here any more.');
    }
    if (method !== 'GET') throw new SignInRefused('state', 'Open this address in a browser.');
    if (!back) return leaveFor(house, turn, provider);
    if (returning >= maxReturning) {
      throw new SignInRefused('busy', 'Many people sign in right now. Try again in a moment.');
    }
    returning += 1;
    try {
      return await comeBack(house, turn, provider);
    } finally {
      returning -= 1;
    }
  };
}

/** Made of the pepper, which the database has, so that every process opens what another one sealed. */
function sealLater({ database }: Pick<House, 'database'>): House['seal'] {
  let seal: Promise<Seal> | null = null;
  return () => {
    seal ??= keyHasher(database).then((hashOf) => createSeal(Buffer.from(hashOf('sign-in'))));
    seal.catch(() => {
      seal = null;
    });
    return seal;
  };
}

function turnOf({ headers, url = '/' }: IncomingMessage, { settings }: House): Turn {
  const header: HeaderReader = (name) => [headers[name] ?? []].flat()[0];
  const origin = originOf(settings, header);
  const at = URL.canParse(url, origin) ? new URL(url, origin) : new URL(origin);
  return { header, origin, at, requestId: currentRequestId() };
}

/** Who signs in by what: of names that the operator gave alone. */
function wayOf(path: string, providers: Providers): string {
  const [, id = ''] = providerPath.exec(path) ?? [];
  if (id === 'code') return 'link';
  return providers.has(id) ? id : '(unknown)';
}

const unkept = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

function tell(response: ServerResponse, { to, cookies }: Told): void {
  const headers = { ...unkept, 'set-cookie': [...cookies] };
  if (to === null) response.writeHead(204, headers).end();
  else response.writeHead(303, { ...headers, location: to }).end();
}

/** What is said of an error, to people. */
interface Said {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** Say to a person on a page, and to our own page as a problem, why it did not work. */
function refuse(request: IncomingMessage, response: ServerResponse, said: Said): void {
  const { status, code, message } = said;
  noteError('other', code);
  const requestId = currentRequestId();
  const title = 'You are not signed in';
  if (request.method !== 'POST') {
    sendNotice(request, response, { status, title, message, requestId });
    return;
  }
  response.writeHead(status, { ...unkept, 'content-type': 'application/problem+json' });
  const about = { type: 'about:blank', title, status, detail: message, code };
  response.end(JSON.stringify({ ...about, request_id: requestId }));
}

function saidOf(error: unknown, onUnexpected: (error: unknown) => void): Said {
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
