// In charge of answers within pages: asked once, kept while the page is open, asked again when due.

import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import { ask } from './ask.ts';
import type { Operation } from './operation.ts';
import { isPassing } from './refused.ts';
import { noteError } from './version.ts';

/** An answer is shown again without asking for this long. */
const freshMs = 20_000;
const longestWaitMs = 5_000;

/** What keeps answers for one key. A server that restarts is asked again until it is back. */
export function createClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: noteError }),
    mutationCache: new MutationCache({ onError: noteError }),
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

interface AnswerOptions<Data> {
  /** The answer before stays in sight until the next is there. */
  readonly isKept?: boolean;
  readonly isWanted?: boolean;
  /** After how many milliseconds it is asked for again; false for never. */
  readonly again?: (now: Data | undefined) => number | false;
}

/** The answer to an operation. */
export function useAnswer<Data extends object, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  { isKept = false, isWanted = true, again }: AnswerOptions<Data> = {},
): UseQueryResult<Data> {
  return useQuery<Data>({
    queryKey: [operation.name, variables],
    queryFn: ({ signal }) => ask(operation, variables, { signal }),
    enabled: isWanted,
    ...(isKept ? { placeholderData: keepPreviousData } : {}),
    ...(again ? { refetchInterval: (query) => again(query.state.data) } : {}),
  });
}
