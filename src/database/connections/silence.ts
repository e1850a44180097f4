// Breaks a connection whose server has vanished without a word.

import { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Break a connection on which nothing was sent or received for so long: whatever waits on it fails then. For
 * one that is always about to receive something; the system's own tries take hours to give up.
 */
export function breakAfterSilence({ connection: { stream } }: pg.Client, ms: number): void {
  // Encrypted or not, it is one.
  if (stream instanceof Socket) stream.setTimeout(ms, () => stream.destroy());
}
