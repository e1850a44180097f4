// Media types: what a request may be sent as, and what its answer may be asked for as.

import type { Plugin } from 'graphql-yoga';
import { type ErrorCode, statusOf } from '../../errors.ts';
import { noteError } from '../../tracing/request.ts';
import { requestName } from '../masking.ts';

/** What an answer can be sent as; a subscription only as a stream of events. */
const answers = ['application/graphql-response+json', 'application/json', 'text/event-stream'];
/** What a query can be sent as. */
const bodies = ['application/json', 'application/graphql', 'application/x-www-form-urlencoded'];

/**
 * A Yoga plugin: refuses an `Accept` that names nothing of what can be sent before anything is run, and a body of
 * another type than can be read; both with an error in JSON that says what is allowed.
 */
export function useMediaTypes(): Plugin {
  return {
    onRequest({ request, endResponse }) {
      if (!canAnswer(request.headers.get('accept'))) endResponse(notAcceptable());
    },
    onResponse({ response, setResponse }) {
      const { status } = response;
      const isMedia = status === statusOf('NOT_ACCEPTABLE');
      // Whether there is a body is asked last: a stream is made of it for that.
      if (!isMedia && status !== statusOf('UNSUPPORTED_MEDIA_TYPE')) return;
      if (response.body) return;
      // A subscription asked for as plain JSON, which only shows when it has been read.
      if (isMedia) setResponse(notAcceptable());
      else {
        const message = `Send the query with a content-type of ${oneOf(bodies)}.`;
        setResponse(refused('UNSUPPORTED_MEDIA_TYPE', message, { accept: bodies.join(', ') }));
      }
    },
  };
}

/** Whether a header `Accept` names something that an answer can be sent as (RFC 9110, section 12.5.1). */
function canAnswer(accept: string | null): boolean {
  if (!accept) return true;
  const weights = new Map(accept.split(',').map(weightOf));
  return answers.some((type) => {
    // The range that says most about a type decides.
    const ranges = [type, `${type.split('/')[0]}/*`, '*/*'];
    const range = ranges.find((each) => weights.has(each));
    return range !== undefined && weights.get(range) !== 0;
  });
}

/** A range of media types and its weight, 1 where none is given: `text/*;q=0.5`. */
function weightOf(range: string): [string, number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [type, weight === undefined ? 1 : Number(weight.slice(2))];
}

function notAcceptable(): Response {
  const message =
    `Accept ${oneOf(answers)}; a subscription is sent as text/event-stream alone, ` +
    'anything else as one of the others.';
  return refused('NOT_ACCEPTABLE', message, {});
}

const oneOf = (types: readonly string[]) =>
  `${types.slice(0, -1).join(', ')} or ${types.slice(-1).join()}`;

function refused(
  code: ErrorCode,
  message: string,
  headers: Readonly<Record<string, string>>,
): Response {
  noteError('graphql', code);
  const errors = [{ message, extensions: { code, ...requestName() } }];
  return Response.json({ errors }, { status: statusOf(code), headers });
}
