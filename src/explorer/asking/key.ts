// The sign-in of this visit: an API key that is stored here, or a session of the server.

import { forgetTexts } from './form.ts';

// GraphiQL keeps its key under the same name, so that one entry serves both.
const place = 'headwater:api-key';
const signedOut = 'headwater:signed-out';
const byPerson = 'person:';

/** How somebody is signed in; unknown until the server was asked whether it knows this browser. */
export type SignInState = 'unknown' | 'key' | 'session' | 'none';

const listeners = new Set<() => void>();
let lastReason = '';
let session: 'unknown' | 'open' | 'none' = 'unknown';
/** A one-time code in the address comes before a key that is kept. */
let hasCode = location.hash.startsWith('#code=');

/** How this visit is signed in. */
export function readSignIn(): SignInState {
  if (hasCode) return 'unknown';
  if (readKey() !== '') return 'key';
  return session === 'open' ? 'session' : session;
}

/** The one-time code of the address, which it doesn't show from now on; an empty text without one. */
export function takeCode(): string {
  const code = location.hash.startsWith('#code=') ? location.hash.slice('#code='.length) : '';
  if (code !== '') history.replaceState(null, '', location.pathname + location.search);
  return code;
}

/** Note whether the server knows this browser, and if not, why; a key that was kept is given up for it. */
export function noteSession(isOpen: boolean, reason = ''): void {
  if (isOpen) forget();
  session = isOpen ? 'open' : 'none';
  hasCode = false;
  lastReason = reason;
  notifyListeners();
}

/** The key in use; an empty text without one. */
export function readKey(): string {
  return sessionStorage.getItem(place) ?? localStorage.getItem(place) ?? '';
}

/** Why the last key was given up; an empty text where a person signed out. */
export function readReason(): string {
  return lastReason;
}

/** Use a key from now on: in this tab, or on this device until somebody signs out. */
export function keepKey(key: string, isRemembered: boolean): void {
  forget();
  (isRemembered ? localStorage : sessionStorage).setItem(place, key);
  lastReason = '';
  notifyListeners();
}

/**
 * Forget the key, or that there is a session, in all tabs of this browser; the reason is shown where a key is asked for.
 * Without a reason a person signed out, who leaves no texts either.
 */
export function signOut(reason = ''): void {
  forget();
  if (reason === '') forgetTexts();
  session = 'none';
  lastReason = reason;
  // Tabs that keep a key of their own learn of it by a change of what they share.
  localStorage.setItem(signedOut, `${reason === '' ? byPerson : ''}${crypto.randomUUID()}`);
  notifyListeners();
}

/** Call `listener` whenever the way in is another one, or none; answers how to stop that. */
export function onKeyChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

addEventListener('storage', ({ key, newValue }) => {
  if (key === signedOut) {
    forget();
    if (newValue?.startsWith(byPerson)) forgetTexts();
    session = 'none';
  }
  if (key === signedOut || key === place || key === null) notifyListeners();
});

function forget(): void {
  sessionStorage.removeItem(place);
  localStorage.removeItem(place);
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}
