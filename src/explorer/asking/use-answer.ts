// Answers within pages: single ones, lists of any length, and the changes that make them out of date.

import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { ask } from './ask.ts';
import { isPassing, type Operation } from './operation.ts';
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

/** An operation whose answers are out of date after a change. */
interface Renewed {
  readonly name: string;
}

/** An input as a text: two of the same data are one, and what is no data is like nothing else. */
function asKey(input: unknown, others: number): string {
  const isData = (value: unknown) => typeof value !== 'function' && !(value instanceof Blob);
  return `${JSON.stringify(input, (_, value) => (isData(value) ? value : `other ${others}`))}`;
}

/** Two presses of one button are one act: the second is given the answer to the first. */
function useOnce<Input, Data>(act: (input: Input) => Promise<Data>) {
  const running = useRef(new Map<string, Promise<Data>>());
  const count = useRef(0);
  return (input: Input): Promise<Data> => {
    count.current += 1;
    const key = asKey(input, count.current);
    const begun = running.current.get(key);
    if (begun) return begun;
    const answer = act(input).finally(() => running.current.delete(key));
    running.current.set(key, answer);
    return answer;
  };
}

/** Change something; nothing is shown as changed before the server says so, and `renewed` is asked for again. */
export function useAct<Input = void, Data = unknown>(
  act: (input: Input) => Promise<Data>,
  renewed: readonly Renewed[],
): UseMutationResult<Data, Error, Input> {
  const client = useQueryClient();
  const once = useOnce(act);
  return useMutation({
    mutationFn: once,
    // A refusal is often due to a change that the page doesn't show yet. Without an answer there is none, and
    // waiting for the network would keep from view that nothing was saved.
    onSettled: async (_data, error) => {
      if (isPassing(error)) return;
      await Promise.all(renewed.map(({ name }) => client.invalidateQueries({ queryKey: [name] })));
    },
  });
}

/** Rows of one answer at most. */
const most = 1_000;

/** Which part of a list is asked for. */
interface Part {
  readonly first: number;
  readonly after?: string | null | undefined;
}

interface Connection<Node> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly Node[];
}

/** What is listed: known by its own id, or by that of what was found. */
type Listed = { readonly id: string } | { readonly resource: { readonly id: string } };

/** The rest of a list. */
export interface Rest {
  /** Whether there is more than is shown. */
  readonly has: boolean;
  readonly isLoading: boolean;
  /** Why the rest could not be loaded; null where nothing went wrong. */
  readonly error: Error | null;
  /** Show as many more as are shown. */
  load(): void;
}

/** A list, as far as it is shown. */
export interface List<Data, Node> {
  /** The answer that it begins with, which says what holds for all of it. */
  readonly data: Data | undefined;
  readonly nodes: readonly Node[];
  readonly rest: Rest;
  readonly error: Error | null;
  /** Whether its beginning is on the way, and nothing is there to show. */
  readonly isLoading: boolean;
  readonly isPlaceholderData: boolean;
  refetch(): void;
}

interface ListOptions<Data, Node> {
  /** How many rows the list begins with. */
  readonly atOnce: number;
  /** The list within an answer; nothing where what it belongs to is not there. */
  readonly of: (data: Data) => Connection<Node> | null | undefined;
  /** The row that it begins behind; absent where it begins with its first. */
  readonly after?: string | null;
  readonly isWanted?: boolean;
}

/** A list by an operation that takes `first` and `after`; the one before stays in sight until it is there. */
export function useList<Data extends object, Asked extends object, Node extends Listed>(
  operation: Operation<Data, Asked & Part>,
  asked: Asked,
  { atOnce, of, after = null, isWanted = true }: ListOptions<Data, Node>,
): List<Data, Node> {
  const answer = useInfiniteQuery({
    queryKey: [operation.name, asked, 'list', after],
    queryFn: ({ signal, pageParam }) => ask(operation, { ...asked, ...pageParam }, { signal }),
    initialPageParam: beginWith(atOnce, after),
    getNextPageParam: (last, all) => nextOf(of(last), all.map(of)),
    placeholderData: keepPreviousData,
    enabled: isWanted,
  });
  const pages = answer.data?.pages;
  // biome-ignore lint/correctness/useExhaustiveDependencies: where the list is in an answer never changes
  const nodes = useMemo(
    () => unique((pages ?? []).flatMap((page) => of(page)?.nodes ?? [])),
    [pages],
  );
  return {
    data: pages?.[0],
    nodes,
    rest: restOf(answer),
    error: answer.isFetchNextPageError ? null : answer.error,
    isLoading: answer.isLoading,
    isPlaceholderData: answer.isPlaceholderData,
    refetch: () => void answer.refetch(),
  };
}

function beginWith(first: number, after: string | null): Part {
  return { first, after };
}

/** As many more as there are: however long a list is, few requests lead to its end. */
function nextOf(
  last: Connection<unknown> | null | undefined,
  all: readonly (Connection<unknown> | null | undefined)[],
): Part | null {
  if (!last?.pageInfo.hasNextPage) return null;
  const shown = all.reduce((sum, page) => sum + (page?.nodes.length ?? 0), 0);
  return { first: Math.min(most, shown), after: last.pageInfo.endCursor };
}

/** A row that has moved to a later page is shown at its first place. */
function unique<Node extends Listed>(nodes: readonly Node[]): readonly Node[] {
  const byId = new Map<string, Node>();
  for (const node of nodes) {
    const id = 'id' in node ? node.id : node.resource.id;
    if (!byId.has(id)) byId.set(id, node);
  }
  return [...byId.values()];
}

function restOf(answer: UseInfiniteQueryResult): Rest {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = answer;
  return {
    has: hasNextPage,
    isLoading: isFetchingNextPage,
    error: isFetchNextPageError ? error : null,
    load: () => {
      if (!isFetchingNextPage) void fetchNextPage();
    },
  };
}
