// In charge of whether this browser is known to the server, when a visit begins and when it ends.

import { ask, post } from './ask.ts';
import { noteSession, readSignIn, signOut, takeCode } from './key.ts';
import { patiently } from './patiently.ts';
import { Refused } from './refused.ts';
import { ViewerOfKey } from './viewer.graphql';

let arriving: Promise<void> | undefined;

/** Find out how this visit is signed in, once: with the code of the address, or by asking the server. */
export function arrive(): Promise<void> {
  arriving ??= find();
  return arriving;
}

async function find(): Promise<void> {
  const code = takeCode();
  try {
    if (code === '') await patiently(() => ask(ViewerOfKey, {}, { key: '' }));
    else await patiently(() => post('/sign-in/code', { 'x-headwater-code': code }));
    noteSession(true);
  } catch (error) {
    const isStranger = error instanceof Refused && error.code === 'UNAUTHENTICATED';
    // That nobody is signed in needs no saying; that a session ended, or does not count, does.
    const isNews = !isStranger || !error.message.startsWith('Send a valid API key');
    noteSession(false, isNews && error instanceof Error ? error.message : '');
  }
}

/** Sign out in all tabs: the server ends the session first, so that nothing of it is left. */
export async function leave(): Promise<void> {
  if (readSignIn() === 'session') await post('/sign-out');
  signOut();
}
