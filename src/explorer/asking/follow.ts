// In charge of what the server tells by itself: one connection for each subscription, opened again when it is cut.

import { openStream } from './ask.ts';
import type { Operation } from './operation.ts';
import { onReachChange, readReach } from './reach.ts';

const shortestWaitMs = 1_000;
const longestWaitMs = 30_000;
/** What happens while a connection opens is missed: heard where that takes longer than it takes to look. */
const quickMs = 300;

/**
 * Hear that something happened, until what it answers is called. It is heard as well after each cut, and after a slow
 * beginning, since what happened meanwhile was missed.
 */
export function follow<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  hear: () => void,
): () => void {
  const ended = new AbortController();
  void goOn(ended.signal, () => readOnce(operation, variables, ended.signal, hear), hear);
  return () => ended.abort();
}

async function goOn(signal: AbortSignal, read: () => Promise<boolean>, hear: () => void) {
  let waitMs = shortestWaitMs;
  while (!signal.aborted) {
    const began = Date.now();
    const isWelcome = await read().catch(() => true);
    if (!isWelcome || signal.aborted) return;
    waitMs = Date.now() - began > longestWaitMs ? shortestWaitMs : waitMs;
    await pause(waitMs);
    waitMs = Math.min(longestWaitMs, waitMs * 2);
    if (!signal.aborted) hear();
  }
}

/** Wait; no longer than until the server answers again after it did not. */
function pause(ms: number): Promise<void> {
  return new Promise((done) => {
    const stopListening = onReachChange(() => readReach() && end());
    const timer = setTimeout(() => end(), ms);
    const end = () => {
      clearTimeout(timer);
      stopListening();
      done();
    };
  });
}

/** Read one connection to its end; false where the server refused the subscription for good. */
async function readOnce<Data, Variables>(
  { name, text }: Operation<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
  hear: () => void,
): Promise<boolean> {
  const began = Date.now();
  const response = await openStream({ query: text, operationName: name, variables }, signal);
  if (!response.ok || !response.body) return response.status >= 429;
  if (Date.now() - began > quickMs) hear();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return true;
    const events = (rest + value).split('\n\n');
    rest = events.pop() ?? '';
    if (events.some((event) => /^event: next$/m.test(event) && !/"errors":/.test(event))) hear();
    if (events.some((event) => /"errors":/.test(event))) return false;
  }
}
