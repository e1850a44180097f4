// In charge of the API key of this visit: where it is kept, and who is notified when it changes.

// GraphiQL keeps its key under the same name, so that one entry serves both.
const place = 'headwater:api-key';
const signedOut = 'headwater:signed-out';

const listeners = new Set<() => void>();
let lastReason = '';

/** The key in use; an empty text where nobody is signed in. */
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

/** Forget the key in all tabs of this browser; the reason is shown where a key is asked for. */
export function signOut(reason = ''): void {
  forget();
  lastReason = reason;
  // Tabs that keep a key of their own learn of it by a change of what they share.
  localStorage.setItem(signedOut, crypto.randomUUID());
  notifyListeners();
}

/** Call `listener` whenever another key is in use, or none; answers how to stop that. */
export function onKeyChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

addEventListener('storage', ({ key }) => {
  if (key === signedOut) forget();
  if (key === signedOut || key === place || key === null) notifyListeners();
});

function forget(): void {
  sessionStorage.removeItem(place);
  localStorage.removeItem(place);
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}
