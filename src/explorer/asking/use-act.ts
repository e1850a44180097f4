// In charge of changes: said to be under way, refused in the server's words, and seen by what is shown afterwards.

import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';

/** An operation whose answers are out of date after a change. */
interface Renewed {
  readonly name: string;
}

/** Change something; nothing is shown as changed before the server says so, and `renewed` is asked for again. */
export function useAct<Input = void, Data = unknown>(
  act: (input: Input) => Promise<Data>,
  renewed: readonly Renewed[],
): UseMutationResult<Data, Error, Input> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    // A refusal is often due to a change that the page doesn't show yet.
    onSettled: () =>
      Promise.all(renewed.map(({ name }) => client.invalidateQueries({ queryKey: [name] }))),
  });
}
