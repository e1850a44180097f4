// The rows of a graph's nodes and edges in the database.

import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { LineageLevel } from '../../neighbours.ts';
import { flagsSql } from '../graph-log.ts';
import { nodeBits } from '../layout.ts';
import type { Arrangement } from './arrange.ts';
import { BinaryRows, type RowView } from './copy-rows.ts';

/** A level of a workspace's lineage, within a transaction that shows one moment. */
export interface Level {
  readonly client: pg.Client;
  readonly workspaceId: string;
  readonly level: LineageLevel;
}

/** The nodes of a level: a condition on rows of `resource`, of this name or alias. */
export function nodesSql({ workspaceId, level }: Level, resource: string): string {
  const onlyTables = level === 'TABLE' ? `and ${resource}.kind <> 'column'` : '';
  return `${resource}.workspace_id = ${pg.escapeLiteral(workspaceId)} ${onlyTables}`;
}

/** The edges of a level that hold: a condition on rows of `lineage_edge`, of this name or alias. */
export function edgesSql({ workspaceId, level }: Level, edge: string): string {
  return `${edge}.workspace_id = ${pg.escapeLiteral(workspaceId)}
    and ${edge}.level = ${pg.escapeLiteral(level)} and ${edge}.valid_to is null`;
}

/** What is read of a node and of an edge, of rows by their name or alias. */
export const nodeColumns = (resource: string) =>
  `${resource}.kind, ${resource}.published, ${resource}.archived, array_to_string(${resource}.team_ids, ',')`;
export const edgeColumns = (edge: string) =>
  `${edge}.source_id, ${edge}.target_id, ${edge}.id, ${flagsSql(edge)}`;

/** Call `onRow` with each row of a query; a row is valid during the call. */
export async function eachRow(
  client: pg.Client,
  select: string,
  fields: number,
  onRow: (row: RowView) => void,
): Promise<void> {
  const reader = new BinaryRows(fields, onRow);
  const stream = client.query(copyTo(`copy (${select}) to stdout (format binary)`));
  for await (const chunk of stream) reader.push(chunk);
}

/** Add the node of a row of its id and `nodeColumns`; its number. */
export function addNodeOf(arrangement: Arrangement, row: RowView): number {
  const is = (field: number, bit: number) => (row.bytes[startOf(row, field)] === 1 ? bit : 0);
  const flags = is(2, nodeBits.published) | is(3, nodeBits.archived);
  return arrangement.addNode(row.bytes, startOf(row, 0), textOf(row, 1), flags, textOf(row, 4));
}

/** Add the edges of a query of `edgeColumns`. */
export function addEdgesOf(
  arrangement: Arrangement,
  client: pg.Client,
  select: string,
): Promise<void> {
  return eachRow(client, select, 4, (row) => {
    const ends = [startOf(row, 0), startOf(row, 1), startOf(row, 2)] as const;
    arrangement.addEdge(row.bytes, ends, row.bytes.readInt32BE(startOf(row, 3)));
  });
}

/** Where a field of a row begins. */
export const startOf = (row: RowView, field: number): number => row.starts[field] ?? 0;

function textOf(row: RowView, field: number): string {
  const from = startOf(row, field);
  return row.bytes.toString('latin1', from, from + Math.max(0, row.lengths[field] ?? 0));
}
