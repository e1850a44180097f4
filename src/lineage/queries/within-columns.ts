// Edges of columns that have fields: what fills one as a whole fills each of its fields, and what reads it reads them.

import type { Pair } from '../connect.ts';

/** So many fields of a column are tied one by one; one that has more is tied as a whole only. */
const maxFields = 100;

/**
 * The edges that follow from those of a query. An edge that enters a column enters its fields as well, unless another
 * leads from the same place into one of them: then the query says which. An edge that leaves a column leaves its fields as
 * well, unless another leads from one of them to the same place. With these a walk that comes to a column goes on with what
 * reads a part of it. They follow from `wholes` alone, those of `edges` whose ends are meant as a whole.
 */
export function edgesOfFields(
  edges: readonly Pair[],
  wholes: readonly Pair[],
  fieldsOf: (columnId: string) => readonly string[],
): Pair[] {
  const known = new Map<string, readonly string[]>();
  const below = (id: string): readonly string[] => {
    const fields = known.get(id) ?? fieldsOf(id);
    known.set(id, fields);
    return fields.length > maxFields ? [] : fields;
  };
  const pairs = new Set(edges.map(({ sourceId, targetId }) => `${sourceId} ${targetId}`));
  return wholes.flatMap((edge) => {
    const { sourceId, targetId } = edge;
    const into = below(targetId);
    const out = below(sourceId);
    const origins = [sourceId, ...out];
    const isSaid = into.some((to) => origins.some((from) => pairs.has(`${from} ${to}`)));
    const entered = isSaid ? [] : into;
    const reached = [targetId, ...into];
    const isToldApart = out.some((from) => reached.some((to) => pairs.has(`${from} ${to}`)));
    const sources = [sourceId, ...(isToldApart ? [] : out)];
    const all = sources.flatMap((from) => [targetId, ...entered].map((to) => ({ from, to })));
    return all
      .filter(({ from, to }) => !pairs.has(`${from} ${to}`))
      .map(({ from, to }) => ({ ...edge, sourceId: from, targetId: to }));
  });
}
