// Reads a whole graph from the database.

import type { Layout } from '../layout.ts';
import { Arrangement } from './arrange.ts';
import {
  addEdgesOf,
  addNodeOf,
  eachRow,
  edgeColumns,
  edgesSql,
  type Level,
  nodeColumns,
  nodesSql,
} from './graph-rows.ts';

/** Read all nodes and edges of a level. */
export async function readWhole(level: Level, maxBytes: number): Promise<Layout> {
  const arrangement = new Arrangement(maxBytes);
  await eachRow(
    level.client,
    `select r.id, ${nodeColumns('r')} from resource r where ${nodesSql(level, 'r')} order by r.id`,
    5,
    (row) => addNodeOf(arrangement, row),
  );
  await addEdgesOf(
    arrangement,
    level.client,
    `select ${edgeColumns('e')} from lineage_edge e where ${edgesSql(level, 'e')}`,
  );
  return arrangement.finish();
}
