// The viewer: how a visit is signed in, and what the viewer may do.

import { ask, post } from './ask.ts';
import { noteSession, readSignIn, signOut, takeCode } from './key.ts';
import { patiently, Refused } from './operation.ts';
import { useAnswer } from './use-answer.ts';
import { ViewerOfKey, type ViewerOfKeyData } from './viewer.graphql';

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
    // A first visit needs no message.
    const isStranger = error instanceof Refused && error.code === 'UNAUTHENTICATED';
    noteSession(false, !isStranger && error instanceof Error ? error.message : '');
  }
}

/** Sign out in all tabs: the server ends the session first, so that nothing of it is left. */
export async function leave(): Promise<void> {
  if (readSignIn() === 'session') await post('/sign-out');
  signOut();
}

type Action = ViewerOfKeyData['viewer']['allowedActions'][number];

/** Who looks; undefined until the server has said so. */
export function useViewer(): ViewerOfKeyData['viewer'] | undefined {
  return useAnswer(ViewerOfKey, {}).data?.viewer;
}

/** Whether the viewer may do something: no, until the server has said so. */
export function useMay(action: Action): boolean {
  return useViewer()?.allowedActions.includes(action) ?? false;
}
