// Subscriptions: what a page shows is asked for again when something of it happened.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { openStream } from './ask.ts';
import { type Operation, onReachChange, readReach } from './operation.ts';

/** Several things that happen at once are one reason to ask again. */
const gatherMs = 150;

interface Followed {
  /** The names of the operations whose answers are out of date then. */
  readonly renewed: readonly string[];
  readonly isWanted?: boolean;
}

/** Ask again for what is shown whenever a subscription says that something happened. */
export function useFollow<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  { renewed, isWanted = true }: Followed,
): void {
  const client = useQueryClient();
  const names = renewed.join(' ');
  const given = JSON.stringify(variables);
  useEffect(() => {
    if (!isWanted) return undefined;
    let timer = 0;
    const renew = () => {
      for (const name of names.split(' ')) void client.invalidateQueries({ queryKey: [name] });
    };
    const stop = follow(operation, JSON.parse(given), () => {
      clearTimeout(timer);
      timer = window.setTimeout(renew, gatherMs);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client, operation, given, names, isWanted]);
}

const shortestWaitMs = 1_000;
const longestWaitMs = 30_000;
/** Events are missed while a connection opens: if that takes longer than this, the page is asked for again. */
const quickMs = 300;

/**
 * Call `notify` after each event, until the answered function is called. It is called as well after each cut and after
 * a slow start, since events may have been missed.
 */
function follow<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  notify: () => void,
): () => void {
  const ended = new AbortController();
  void goOn(ended.signal, () => readOnce(operation, variables, ended.signal, notify), notify);
  return () => ended.abort();
}

async function goOn(signal: AbortSignal, read: () => Promise<boolean>, notify: () => void) {
  let waitMs = shortestWaitMs;
  while (!signal.aborted) {
    const began = Date.now();
    const isWelcome = await read().catch(() => true);
    if (!isWelcome || signal.aborted) return;
    waitMs = Date.now() - began > longestWaitMs ? shortestWaitMs : waitMs;
    await pause(waitMs);
    waitMs = Math.min(longestWaitMs, waitMs * 2);
    if (!signal.aborted) notify();
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
  notify: () => void,
): Promise<boolean> {
  const began = Date.now();
  const response = await openStream({ query: text, operationName: name, variables }, signal);
  if (!response.ok || !response.body) return response.status >= 429;
  if (Date.now() - began > quickMs) notify();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return true;
    const events = (rest + value).split('\n\n');
    rest = events.pop() ?? '';
    if (events.some((event) => /^event: next$/m.test(event) && !/"errors":/.test(event))) notify();
    if (events.some((event) => /"errors":/.test(event))) return false;
  }
}
