// Keys that worked once: whose they were, and why they don't work any more.

import type { Viewer } from './viewer.ts';

/** Why a key doesn't work any more. */
export type KeyLapse = 'revoked' | 'expired' | 'deactivated';

/** A key that worked once, and whom it acted for. */
export interface LapsedKey {
  readonly lapse: KeyLapse;
  readonly viewer: Viewer;
}

/** The same in words. */
export const lapseWords: Readonly<Record<KeyLapse, string>> = {
  revoked: 'The key was revoked.',
  expired: 'The key has expired.',
  deactivated: 'The account of the key was deactivated.',
};

/** Whether whom a key stands for is somebody it acted for once. */
export function isLapsed(holder: Viewer | LapsedKey): holder is LapsedKey {
  return 'lapse' in holder;
}

/** Whom a key acts for; null where it doesn't work any more, or never did. */
export function viewerIn(holder: Viewer | LapsedKey | null): Viewer | null {
  return holder === null || isLapsed(holder) ? null : holder;
}
