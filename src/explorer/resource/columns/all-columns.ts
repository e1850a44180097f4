// All columns of a table: those that its page came with, and the others as they are asked for.

import { useState } from 'react';
import { type Rest, useList } from '../../asking/use-answer.ts';
import { type ColumnRow, FurtherColumns, type FurtherColumnsData } from '../page.graphql';

const atOnce = 300;

interface Begun {
  readonly id: string;
  /** How many columns it has. */
  readonly childrenCount: number;
  /** The first of them. */
  readonly columns: readonly ColumnRow[];
}

/** The columns that are there so far, in their order, and the rest of them. */
export function useAllColumns({ id, childrenCount, columns }: Begun): {
  readonly columns: readonly ColumnRow[];
  readonly rest: Rest;
} {
  const [isWanted, setWanted] = useState(false);
  const after = columns.at(-1)?.id ?? null;
  const further = useList(FurtherColumns, { id }, { atOnce, of: pageOf, after, isWanted });
  const all = [...columns, ...further.nodes];
  const { isLoading, error } = further;
  const rest = {
    has: childrenCount > all.length && (!isWanted || isLoading || further.rest.has),
    isLoading: isLoading || further.rest.isLoading,
    error: error ?? further.rest.error,
    load: () => (isWanted ? further.rest.load() : setWanted(true)),
  };
  return { columns: all, rest };
}

/** A page of columns: behind its last one are more, or none. */
function pageOf({ resource }: FurtherColumnsData) {
  if (!resource || !('columns' in resource)) return null;
  const { columns } = resource;
  const last = columns.at(-1);
  return {
    pageInfo: { hasNextPage: last !== undefined, endCursor: last?.id ?? null },
    nodes: columns,
  };
}
