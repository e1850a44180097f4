// In charge of the HTTP status of a GraphQL request that could not be answered at all for the moment.

import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { retryAfterSeconds } from '../errors.ts';

/**
 * A Yoga plugin: where nothing could be answered because something does not answer (UNAVAILABLE), the
 * status is 503 with `Retry-After`, as balancers and clients expect it. All else keeps its status.
 */
export function useUnavailable(): Plugin {
  return {
    onResultProcess({ result, setResult }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result) return;
      if (!isUnavailable(result)) return;
      const headers = { 'retry-after': String(retryAfterSeconds) };
      setResult({
        ...result,
        extensions: { ...result.extensions, http: { status: 503, headers } },
      });
    },
  };
}

function isUnavailable({ data, errors = [] }: ExecutionResult): boolean {
  const isNothing = Object.values(data ?? {}).every((value) => value === null);
  const isAway = errors.every(({ extensions }) => extensions.code === 'UNAVAILABLE');
  return errors.length > 0 && isNothing && isAway;
}
