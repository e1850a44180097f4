// Reads what has changed of a graph since an earlier reading, and lays it out next to all that has not.

import pg from 'pg';
import { sinceSqlOf } from '../../../database/change-log.ts';
import { fillSlots, findNode, idWords, type Layout, slotsFor, wordsIn } from '../layout.ts';
import { Arrangement, Words, wordsAt } from './arrange.ts';
import {
  addEdgesOf,
  addNodeOf,
  eachRow,
  edgeColumns,
  edgesSql,
  type Level,
  nodeColumns,
  nodesSql,
  startOf,
} from './graph-rows.ts';
import type { GraphReading } from './load-message.ts';

/** A graph of which more than one edge in so many has changed is read as a whole, which is faster then. */
const changedOf = 4;
/** So many changes are few in a graph of any size. */
const fewChanges = 10_000;

/**
 * The layout of a level as it is now, of an earlier reading of the same log; null where so much has changed that it is
 * to be read as a whole. What the log names is taken from the database, all else from the earlier layout. Its flags
 * and teams may be newer than this moment, as the graph made of it takes over changes in the meantime: the log names
 * those again to whom takes this layout.
 */
export async function readChanged(
  level: Level,
  base: GraphReading,
  maxBytes: number,
): Promise<Layout | null> {
  const since = sinceSqlOf(pg.escapeLiteral(level.workspaceId), pg.escapeLiteral(base.snapshot));
  // A statement of before an upgrade may say that there was much, and not what.
  const unnamed = `select from ${since} and l.what = 'all' and l.changed_ids is null limit 1`;
  if ((await level.client.query(unnamed)).rowCount !== 0) return null;
  const edges = `select l.changed_id as id from ${since} and l.what = 'edge'
    union select unnest(l.changed_ids) from ${since} and l.what = 'all'`;
  const changed = await idsOf(level.client, edges);
  if (changed.count > Math.max(fewChanges, base.layout.edges / changedOf)) return null;
  const arrangement = new Arrangement(maxBytes, base.layout);
  const changedEdges = `(${edges}) c join lineage_edge e on e.id = c.id and ${edgesSql(level, 'e')}`;
  const nodes = `with edges as materialized (select e.source_id, e.target_id from ${changedEdges}),
    changed as (select source_id as id from edges union select target_id from edges
      union select l.changed_id from ${since} and l.what = 'resource')
    select c.id, ${nodeColumns('r')} from changed c
      left join resource r on r.id = c.id and ${nodesSql(level, 'r')} order by c.id`;
  const numbers = await takeOverNodes(arrangement, base.layout, (onRow) =>
    eachRow(level.client, nodes, 5, onRow),
  );
  keepEdges(arrangement, base.layout, numbers, changed);
  await addEdgesOf(arrangement, level.client, `select ${edgeColumns('e')} from ${changedEdges}`);
  return arrangement.finish();
}

/** Ids, and where to find them. */
interface Ids extends Pick<Layout, 'ids' | 'slots'> {
  readonly count: number;
}

async function idsOf(client: pg.Client, select: string): Promise<Ids> {
  const words = new Words();
  await eachRow(client, select, 1, (row) => {
    for (const word of wordsAt(row.bytes, startOf(row, 0))) words.push(word);
  });
  const count = words.length / idWords;
  const ids = words.copyTo(new Uint32Array(words.length));
  const slots = new Uint32Array(slotsFor(count));
  fillSlots(ids, count, slots);
  return { ids, slots, count };
}

/**
 * Add nodes in the order of their ids: of rows those that changed, the others as the base has them. Answers the
 * numbers that the base's nodes have now; -1 of one that was deleted.
 */
async function takeOverNodes(
  arrangement: Arrangement,
  base: Layout,
  eachChanged: (onRow: Parameters<typeof eachRow>[3]) => Promise<void>,
): Promise<Int32Array> {
  const numbers = new Int32Array(base.nodes).fill(-1);
  let node = 0;
  const keep = () => {
    numbers[node] = arrangement.keepNode(base, node);
    node += 1;
  };
  await eachChanged((row) => {
    const id = wordsAt(row.bytes, startOf(row, 0));
    while (node < base.nodes && compareIds(wordsIn(base.ids, node), id) < 0) keep();
    // One that was deleted has no kind.
    const number = row.lengths[1] === -1 ? -1 : addNodeOf(arrangement, row);
    if (node < base.nodes && compareIds(wordsIn(base.ids, node), id) === 0) {
      numbers[node] = number;
      node += 1;
    }
  });
  while (node < base.nodes) keep();
  return numbers;
}

/** Add the edges of the base that did not change. */
function keepEdges(
  arrangement: Arrangement,
  base: Layout,
  numbers: Int32Array,
  changed: Ids,
): void {
  for (let node = 0; node < base.nodes; node += 1) {
    const from = numbers[node] ?? -1;
    const end = base.outStarts[node + 1] ?? 0;
    for (let place = base.outStarts[node] ?? end; place < end; place += 1) {
      const to = numbers[base.targets[place] ?? 0] ?? -1;
      if (from < 0 || to < 0 || findNode(changed, wordsIn(base.edgeIds, place)) >= 0) continue;
      arrangement.keepEdge(base, place, from, to);
    }
  }
}

function compareIds(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((word, i) => word !== other[i]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
