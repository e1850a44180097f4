// In charge of answers within pages: asked once, kept while the page is open, asked again when due.

import {
  keepPreviousData,
  QueryClient,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import { ask } from './ask.ts';
import type { Operation } from './operation.ts';
import { isPassing } from './refused.ts';

/** An answer is shown again without asking for this long. */
const freshMs = 20_000;
const longestWaitMs = 5_000;

/** What keeps answers for one key. A server that restarts is asked again until it is back. */
export function createClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        retry: (_count, error) => isPassing(error),
        retryDelay: (count) => Math.min(longestWaitMs, 500 * 2 ** count),
        // A server on this very machine answers without a network, too.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** The answer to an operation. The one before stays in sight until the next is there, where `isKept`. */
export function useAnswer<Data extends object, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  { isKept = false, isWanted = true }: { isKept?: boolean; isWanted?: boolean } = {},
): UseQueryResult<Data> {
  return useQuery<Data>({
    queryKey: [operation.name, variables],
    queryFn: ({ signal }) => ask(operation, variables, { signal }),
    enabled: isWanted,
    ...(isKept ? { placeholderData: keepPreviousData } : {}),
  });
}
