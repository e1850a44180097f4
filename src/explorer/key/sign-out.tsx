// The ways out: of this browser, and of every one.

import { useSyncExternalStore } from 'react';
import { ask } from '../asking/ask.ts';
import { onKeyChange, readSignIn, signOut } from '../asking/key.ts';
import { leave } from '../asking/viewer.ts';
import { words } from '../words.ts';
import { SignOutEverywhere } from './leave.graphql';

/** The buttons. A server that can't be reached is said above the page; then no one is signed out. */
export function SignOut() {
  const state = useSyncExternalStore(onKeyChange, readSignIn);
  const everywhere = () => ask(SignOutEverywhere, {}).then(() => signOut());
  return (
    <>
      <button type="button" onClick={() => void leave().catch(() => {})}>
        {words.signOut}
      </button>
      {state === 'session' && (
        <button type="button" onClick={() => void everywhere().catch(() => {})}>
          {words.signOutEverywhere}
        </button>
      )}
    </>
  );
}
