// Each step of signing in and out: to a provider and back, by a one-time code, signing out.

import { viewerOfUser } from '../auth/account.ts';
import type { Viewer } from '../auth/viewer.ts';
import { type Context, contextFor } from '../context.ts';
import type { Database } from '../database/database.ts';
import { inWorkspace } from '../database/outside.ts';
import type { RequestSource } from '../tracing/request.ts';
import { type OnLinked, personOf } from './claimed-account.ts';
import { type CookieSeal, pendingCookie, readCookie, sessionCookie, setCookie } from './cookie.ts';
import { countSignIn } from './figures.ts';
import { isInvitation, useInvitation } from './invitation.ts';
import type { OneTimeCodes } from './one-time-code.ts';
import { foreignness, type HeaderReader, pathWithin } from './origin.ts';
import type { OpenIdProvider } from './provider.ts';
import { SignInRefused } from './refused.ts';
import type { SessionReader } from './request-session.ts';
import type { SignInSettings } from './sign-in-settings.ts';
import { beginSession, deactivated, endSession, type SessionStart } from './user-session.ts';

/** What the steps need to know. */
export interface SignInParts {
  readonly database: Database;
  readonly settings: SignInSettings;
  readonly sessionReader: SessionReader;
  readonly codes: OneTimeCodes;
  readonly seal: () => Promise<CookieSeal>;
  readonly now: () => Date;
  /** Notified of what keeps somebody from signing in, in words for the operator. */
  readonly onNotice: (message: string) => void;
  readonly onLinked: OnLinked;
}

/** One request: its address, where its browser reaches this server, and its headers. */
export interface BrowserRequest extends RequestSource {
  readonly at: URL;
  readonly origin: string;
  readonly header: HeaderReader;
}

/** What a browser is answered. */
export interface SignInAnswer {
  /** Where it is to go; null where it stays. */
  readonly to: string | null;
  /** Headers that set cookies. */
  readonly cookies: readonly string[];
}

/** Header of a one-time code. */
const codeHeader = 'x-headwater-code';

/** Send somebody to a provider. */
export async function beginAtProvider(
  { now, seal }: SignInParts,
  { at, origin }: BrowserRequest,
  provider: OpenIdProvider,
): Promise<SignInAnswer> {
  const { id } = provider.settings;
  const { to, checks } = await provider.begin(`${origin}/sign-in/${id}/callback`);
  const wanted = pathWithin(origin, at.searchParams.get('to'));
  const pending = { provider: id, to: wanted, at: now().getTime(), ...checks };
  const sealed = (await seal()).seal(pending);
  return { to: to.href, cookies: [setCookie({ origin }, pendingCookie, sealed)] };
}

/** Let somebody in who comes back from a provider. Throws `SignInRefused`. */
export async function finishAtProvider(
  parts: SignInParts,
  browserRequest: BrowserRequest,
  provider: OpenIdProvider,
): Promise<SignInAnswer> {
  const { at, origin, header, requestId, clientAddress } = browserRequest;
  const { database, now, onNotice, onLinked } = parts;
  const { settings } = provider;
  const sealed = readCookie({ origin }, pendingCookie, header('cookie'));
  const pending = sealed === null ? null : (await parts.seal()).open(sealed, now());
  const isOurs = pending?.provider === settings.id;
  if (!pending || !isOurs || pending.state !== at.searchParams.get('state')) {
    throw new SignInRefused(
      'state',
      'This sign-in was not begun in this browser, another one was begun after it, or it took longer than ' +
        'ten minutes. Go back and try again.',
    );
  }
  const claims = await provider.finish(at, pending);
  const source = { requestId, clientAddress };
  const viewer = await personOf({ database, settings, claims, ...source, now, onNotice, onLinked });
  const start = { method: settings.id, says: `with ${settings.name}` };
  const cookie = await begin(parts, browserRequest, viewer, start);
  return { to: pending.to, cookies: [cookie, setCookie({ origin }, pendingCookie, null)] };
}

/** Let somebody in by a one-time code, which our own page sends. Throws `SignInRefused`. */
export async function signInWithCode(
  parts: SignInParts,
  browserRequest: BrowserRequest,
): Promise<SignInAnswer> {
  mustBeOurs(browserRequest);
  const { database, codes, now } = parts;
  const code = browserRequest.header(codeHeader) ?? '';
  const { workspaceId, userId } = isInvitation(code)
    ? await useInvitation(database, code, now())
    : codes.use(code, now());
  const viewer = await viewerOfUser(inWorkspace(database, workspaceId), workspaceId, userId);
  if (!viewer) throw deactivated({ workspaceId, userId, email: null });
  const person: Viewer = { ...viewer, performer: 'USER' };
  const start = { method: 'link', says: 'with a one-time link' };
  return { to: null, cookies: [await begin(parts, browserRequest, person, start)] };
}

/** End the session of the browser, and take its cookie away. Throws `SignInRefused`. */
export async function signOut(
  parts: SignInParts,
  browserRequest: BrowserRequest,
): Promise<SignInAnswer> {
  mustBeOurs(browserRequest);
  const { settings, sessionReader } = parts;
  const kind = sessionCookie(settings.sessions.maxAgeMs);
  const secret = readCookie(browserRequest, kind, browserRequest.header('cookie'));
  const viewer = secret === null ? null : await sessionReader.viewerOf(secret, false);
  if (viewer?.sessionId)
    await endSession(contextOf(parts, browserRequest, viewer), viewer.sessionId);
  return { to: null, cookies: [setCookie(browserRequest, kind, null)] };
}

/** A session of its own with each sign-in: whatever cookie there was before is worth nothing. */
async function begin(
  parts: SignInParts,
  browserRequest: BrowserRequest,
  viewer: Viewer,
  start: Omit<SessionStart, 'userAgent'>,
): Promise<string> {
  const { database, settings } = parts;
  const userAgent = browserRequest.header('user-agent') ?? '';
  const ctx = contextOf(parts, browserRequest, viewer);
  const secret = await beginSession(ctx, { ...start, userAgent }, settings.sessions);
  countSignIn(database, start.method, 'ok');
  return setCookie(browserRequest, sessionCookie(settings.sessions.maxAgeMs), secret);
}

function contextOf(
  { database, now }: SignInParts,
  { requestId, clientAddress }: BrowserRequest,
  viewer: Viewer,
): Context {
  const credential = viewer.sessionId === undefined ? 'SIGN_IN' : 'SESSION';
  return contextFor(database, viewer, { now, requestId, clientAddress, credential });
}

function mustBeOurs({ header, origin }: BrowserRequest): void {
  const why = foreignness(origin, header);
  if (why !== null) throw new SignInRefused('state', why);
}
