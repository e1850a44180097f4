// Columns of opened cards: asked for one card at a time, when it is opened.

import { useQueries } from '@tanstack/react-query';
import { ask } from '../asking/ask.ts';
import { inOrder } from '../resource/columns/nested-columns.ts';
import { ColumnsOfTable, type PictureColumn } from './page.graphql';

type Columns = ReadonlyMap<string, readonly PictureColumn[]>;

/** The columns of cards, by the cards' ids, which stand in a text with commas between them. */
export function useColumns(ids: string): Columns {
  const all = ids.split(',').filter((id) => id !== '');
  return useQueries({
    queries: all.map((id) => ({
      queryKey: [ColumnsOfTable.name, id],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const { resource } = await ask(ColumnsOfTable, { id }, { signal });
        if (!resource || !('columns' in resource)) return { id, nodes: [] };
        const nodes = inOrder(resource.columns, resource.nestedColumns);
        return { id, nodes: nodes.map(({ column }) => column) };
      },
    })),
    combine: mapOf,
  });
}

function mapOf(
  results: readonly {
    readonly data: { id: string; nodes: readonly PictureColumn[] } | undefined;
  }[],
): Columns {
  return new Map(results.flatMap(({ data }) => (data ? [[data.id, data.nodes]] : [])));
}
