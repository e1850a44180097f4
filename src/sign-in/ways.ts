// In charge of the ways in and out: to a provider and back, by a one-time code, and signing out.

import { viewerOfUser } from '../auth/account.ts';
import type { Viewer } from '../auth/viewer.ts';
import { type Context, contextFor } from '../context.ts';
import type { Database } from '../database/database.ts';
import { inWorkspace } from '../database/outside.ts';
import { personOf } from './claimed-account.ts';
import type { Codes } from './code.ts';
import { pendingCookie, readCookie, type Seal, sessionCookie, setCookie } from './cookie.ts';
import { countSignIn } from './figures.ts';
import type { Gate } from './gate.ts';
import { foreignness, type HeaderReader, pathWithin } from './origin.ts';
import type { Provider } from './provider.ts';
import { SignInRefused } from './refused.ts';
import { type Arrival, beginSession, deactivated, endSession } from './sessions.ts';
import type { SignInSettings } from './sign-in-settings.ts';

/** What the ways need to know. */
export interface House {
  readonly database: Database;
  readonly settings: SignInSettings;
  readonly gate: Gate;
  readonly codes: Codes;
  readonly seal: () => Promise<Seal>;
  readonly now: () => Date;
  /** Told of what keeps somebody from signing in, in words for the operator. */
  readonly onNotice: (message: string) => void;
}

/** One request: its address, where its browser reaches this server, and its headers. */
export interface Turn {
  readonly at: URL;
  readonly origin: string;
  readonly header: HeaderReader;
  /** Names the request in the audit log. */
  readonly requestId: string | null;
}

/** What a browser is told. */
export interface Told {
  /** Where it is to go; null where it stays. */
  readonly to: string | null;
  /** Headers that set cookies. */
  readonly cookies: readonly string[];
}

/** Header of a one-time code. */
const codeHeader = 'x-headwater-code';

/** Send somebody to a provider. */
export async function leaveFor(
  { now, seal }: House,
  { at, origin }: Turn,
  provider: Provider,
): Promise<Told> {
  const { id } = provider.settings;
  const { to, checks } = await provider.begin(`${origin}/sign-in/${id}/callback`);
  const wanted = pathWithin(origin, at.searchParams.get('to'));
  const pending = { provider: id, to: wanted, at: now().getTime(), ...checks };
  const sealed = (await seal()).seal(pending);
  return { to: to.href, cookies: [setCookie({ origin }, pendingCookie, sealed)] };
}

/** Let somebody in who comes back from a provider. Throws `SignInRefused`. */
export async function comeBack(house: House, turn: Turn, provider: Provider): Promise<Told> {
  const { at, origin, header } = turn;
  const { database, now, onNotice } = house;
  const { settings } = provider;
  const sealed = readCookie({ origin }, pendingCookie, header('cookie'));
  const pending = sealed === null ? null : (await house.seal()).open(sealed, now());
  const isOurs = pending?.provider === settings.id;
  if (!pending || !isOurs || pending.state !== at.searchParams.get('state')) {
    throw new SignInRefused(
      'state',
      'This sign-in was not begun in this browser, another one was begun after it, or it took longer than ' +
        'ten minutes. Go back and try again.',
    );
  }
  const claims = await provider.finish(at, pending);
  const viewer = await personOf({ database, settings, claims, now, onNotice });
  const arrival = { way: settings.id, says: `with ${settings.name}` };
  const cookie = await begin(house, turn, viewer, arrival);
  return { to: pending.to, cookies: [cookie, setCookie({ origin }, pendingCookie, null)] };
}

/** Let somebody in by a one-time code, which our own page sends. Throws `SignInRefused`. */
export async function takeCode(house: House, turn: Turn): Promise<Told> {
  mustBeOurs(turn);
  const { database, codes, now } = house;
  const { workspaceId, userId } = codes.use(turn.header(codeHeader) ?? '', now());
  const viewer = await viewerOfUser(inWorkspace(database, workspaceId), workspaceId, userId);
  if (!viewer) throw deactivated();
  const person: Viewer = { ...viewer, performer: 'USER' };
  const arrival = { way: 'link', says: 'with a one-time link' };
  return { to: null, cookies: [await begin(house, turn, person, arrival)] };
}

/** End the session of the browser, and take its cookie away. Throws `SignInRefused`. */
export async function signOut(house: House, turn: Turn): Promise<Told> {
  mustBeOurs(turn);
  const { settings, gate } = house;
  const kind = sessionCookie(settings.sessions.maxAgeMs);
  const secret = readCookie(turn, kind, turn.header('cookie'));
  const viewer = secret === null ? null : await gate.viewerOf(secret, false);
  if (viewer?.sessionId) await endSession(contextOf(house, turn, viewer), viewer.sessionId);
  return { to: null, cookies: [setCookie(turn, kind, null)] };
}

/** A session of its own with each sign-in: whatever cookie there was before is worth nothing. */
async function begin(
  house: House,
  turn: Turn,
  viewer: Viewer,
  arrival: Omit<Arrival, 'userAgent'>,
): Promise<string> {
  const { database, settings } = house;
  const userAgent = turn.header('user-agent') ?? '';
  const ctx = contextOf(house, turn, viewer);
  const secret = await beginSession(ctx, { ...arrival, userAgent }, settings.sessions);
  countSignIn(database, arrival.way, 'ok');
  return setCookie(turn, sessionCookie(settings.sessions.maxAgeMs), secret);
}

function contextOf({ database, now }: House, { requestId }: Turn, viewer: Viewer): Context {
  return contextFor(database, viewer, { now, requestId });
}

function mustBeOurs({ header, origin }: Turn): void {
  const why = foreignness(origin, header);
  if (why !== null) throw new SignInRefused('state', why);
}
