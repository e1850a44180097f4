// A path: all that leads to a card or a column, and all that it leads to.

import type { Model } from './model.ts';

/** What is lit. */
export interface Trace {
  /** Cards and columns. */
  readonly ids: ReadonlySet<string>;
  readonly lines: ReadonlySet<string>;
}

interface Edge {
  readonly from: string;
  readonly to: string;
}

/** The path of a card or a column within the picture. */
export function traceOf(start: string, model: Model): Trace {
  const { lines, columnEdges, cardOf } = model;
  const isColumn = cardOf.has(start);
  const walked = isColumn
    ? walk(start, columnEdges)
    : walk(model.within.get(start) ?? start, lines);
  if (!isColumn) {
    const lit = lines.filter(({ from, to }) => walked.isOnPath(from, to));
    return { ids: walked.ids, lines: new Set(lit.map(({ id }) => id)) };
  }
  const path = columnEdges.filter(({ from, to }) => walked.isOnPath(from, to));
  const edges = new Set(path.map(({ id }) => id));
  // Between cards that are closed it is the line of the cards that stands for theirs.
  const pairs = new Set(path.map(({ from, to }) => `${cardOf.get(from)} ${cardOf.get(to)}`));
  const lit = lines.filter(
    ({ id, pair, fromRow, toRow }) =>
      edges.has(id) || (fromRow === null && toRow === null && pairs.has(pair)),
  );
  const cards = [...walked.ids].flatMap((id) => cardOf.get(id) ?? []);
  return {
    ids: new Set([...walked.ids, ...cards]),
    lines: new Set(lit.map(({ id }) => id)),
  };
}

/** The picture with nothing but a path in it. */
export function onlyPath(model: Model, { ids, lines }: Trace): Model {
  const cards = new Map([...model.cards].filter(([id]) => ids.has(id)));
  return { ...model, cards, all: cards, lines: model.lines.filter(({ id }) => lines.has(id)) };
}

/** What is before a start and what is after it. */
function walk(start: string, edges: readonly Edge[]) {
  const before = reach(
    start,
    edges,
    ({ to }) => to,
    ({ from }) => from,
  );
  const after = reach(
    start,
    edges,
    ({ from }) => from,
    ({ to }) => to,
  );
  return {
    ids: new Set([...before, ...after]),
    isOnPath: (from: string, to: string) =>
      (before.has(from) && before.has(to)) || (after.has(from) && after.has(to)),
  };
}

function reach(
  start: string,
  edges: readonly Edge[],
  here: (edge: Edge) => string,
  there: (edge: Edge) => string,
): Set<string> {
  const out = new Map<string, string[]>();
  for (const edge of edges) {
    const list = out.get(here(edge)) ?? [];
    list.push(there(edge));
    out.set(here(edge), list);
  }
  const seen = new Set([start]);
  // It grows while it is walked.
  for (const id of seen) for (const next of out.get(id) ?? []) seen.add(next);
  return seen;
}
