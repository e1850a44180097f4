// The ids of events: where a subscription that was cut goes on.
//
// An id is a time: all that changed until then was sent. It stands in the `id` of a server-sent event, where
// EventSource and its like find it by themselves, and in `extensions.eventId` for clients that show no more of
// an event than its answer. Either way it comes back in the header Last-Event-ID.

import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../context.ts';
import { invalidField } from '../../errors.ts';

/** Something that a subscription sends, and the id that says until when all was sent. */
export class Delivered<Value> {
  readonly thing: Value;
  readonly eventId: string;

  constructor(thing: Value, until: Date) {
    this.thing = thing;
    this.eventId = until.toISOString();
  }
}

/** The answer to an event, which says its id where it has one. */
export function withEventId(event: unknown, answer: ExecutionResult): ExecutionResult {
  if (!(event instanceof Delivered)) return answer;
  return { ...answer, extensions: { ...answer.extensions, eventId: event.eventId } };
}

/** How long after a cut a subscription goes on, in milliseconds; after that a list is read again. */
const resumableMs = 60 * 60_000;
/** An event is of no later time than this: clocks of processes may differ. */
const aheadMs = 60_000;

/**
 * The time after which a client has not been sent what changed; null where it starts over. Throws
 * BAD_REQUEST for an id that is none of ours, such as one of a time to come, and for one that is older than an hour.
 */
export function resumedAfter({
  lastEventId,
  now,
}: Pick<Context, 'lastEventId' | 'now'>): Date | null {
  if (lastEventId === null || lastEventId === '') return null;
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(lastEventId)
    ? Date.parse(lastEventId)
    : Number.NaN;
  if (Number.isNaN(time) || time - now().getTime() > aheadMs) {
    throw invalidField('Last-Event-ID', 'Use the id of an event of this subscription.');
  }
  if (now().getTime() - time > resumableMs) {
    throw invalidField(
      'Last-Event-ID',
      'That event is older than an hour; read the list, and subscribe without the header.',
    );
  }
  return new Date(time);
}

/** A plugin for Yoga that writes the ids of answers into the events that carry them. */
export function useEventIds(): Plugin {
  return {
    onResultProcess({ result, setResult, resultProcessor, setResultProcessor }) {
      if (!resultProcessor || Array.isArray(result) || !(Symbol.asyncIterator in result)) return;
      const ids: (string | null)[] = [];
      setResult(noting(result, ids));
      setResultProcessor(async (events, fetchAPI, mediaType) => {
        const response = await resultProcessor(events, fetchAPI, mediaType);
        return response.body
          ? new fetchAPI.Response(response.body.pipeThrough(marking(ids)), response)
          : response;
      }, 'text/event-stream');
    },
  };
}

/** The same answers; their ids are noted as they pass, in order. */
function noting(
  answers: AsyncIterable<ExecutionResult>,
  ids: (string | null)[],
): AsyncIterable<ExecutionResult> {
  const source = answers[Symbol.asyncIterator]();
  const iterator: AsyncIterableIterator<ExecutionResult> = {
    async next() {
      const next = await source.next();
      if (!next.done) {
        const id = next.value.extensions?.eventId;
        ids.push(typeof id === 'string' ? id : null);
      }
      return next;
    },
    async return() {
      await source.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

const begin = new TextEncoder().encode('event: next');

/** Puts an `id` before each event that has one: what Yoga hands on begins with the event, or is a comment. */
function marking(ids: (string | null)[]): TransformStream<Uint8Array, Uint8Array> {
  const encoder = new TextEncoder();
  return new TransformStream({
    transform(chunk, controller) {
      const isEvent = begin.every((byte, i) => chunk[i] === byte);
      const id = isEvent ? ids.shift() : null;
      if (id) controller.enqueue(encoder.encode(`id: ${id}\n`));
      controller.enqueue(chunk);
    },
  });
}
