// Who sends a request, as far as its headers say it, before anything else of it is looked at.

import type { IncomingHttpHeaders } from 'node:http';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { Refusals } from '../../audit/refusal.ts';
import { isLapsed, type LapsedKey } from '../../auth/lapsed-key.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { SessionReader } from '../../sign-in/request-session.ts';
import { currentRequest, currentSource } from '../../tracing/request.ts';
import { keyIn } from '../caller.ts';
import { noteLapsed } from '../refusals.ts';

/** Whether headers name a key, or a session, that works. */
export async function isSignedInBy(
  { authorization, ...headers }: IncomingHttpHeaders,
  authenticate: (key: string) => MaybePromise<Viewer | null>,
  sessionReader: SessionReader,
): Promise<boolean> {
  const key = keyIn(authorization ?? '');
  if (key !== null) return (await authenticate(key)) !== null;
  const shown = sessionReader.sessionIn('POST', (name) => [headers[name] ?? []].flat()[0]);
  if (shown === null || 'refusal' in shown) return false;
  return (await sessionReader.viewerOf(shown.secret, false)) !== null;
}

/** Note it where the headers of the running request name a key that worked once. */
export async function noteLapsedIn(
  { authorization = '' }: IncomingHttpHeaders,
  authenticate: (key: string) => MaybePromise<Viewer | LapsedKey | null>,
  refusals: Refusals,
  now: () => Date,
): Promise<void> {
  const key = keyIn(authorization);
  const holder = key === null ? null : await authenticate(key);
  const task = currentRequest();
  if (!holder || !isLapsed(holder) || !task) return;
  const { method, path } = task;
  noteLapsed(refusals, { method, path, ...currentSource(), now }, holder);
}
