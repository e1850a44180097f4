// In charge of pages that are true by themselves: what they show is asked for again when something of it happened.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { follow } from './follow.ts';
import type { Operation } from './operation.ts';

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
