// The edges as they are stored: one row an edge, ended rather than erased.

import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { rows } from '../database/rows.ts';
import { type LineageEdge, Prisma } from '../generated/prisma/client.ts';
import { settleTables } from './implied.ts';
import type { Use } from './sql/scope/use.ts';

/** How an edge came to be known. */
export const lineageOrigins = ['MANUAL', 'QUERY', 'ARTIFACT', 'IMPORT', 'RUN', 'SOURCE'] as const;
export type LineageOrigin = (typeof lineageOrigins)[number];

/** DIRECT: the value flows. INDIRECT: a column decides about rows, by a join, filter, group or sort. */
export const lineageStrengths = ['DIRECT', 'INDIRECT'] as const;
export type LineageStrength = (typeof lineageStrengths)[number];

/** The resources that data flows from and to. */
export interface Pair {
  readonly sourceId: string;
  readonly targetId: string;
  /** The SQL expression that makes the target, where a query says it. */
  readonly expression?: string | null;
  /** DIRECT unless said. INDIRECT goes from a column to the table about whose rows it decides. */
  readonly strength?: LineageStrength;
  /** What the source is used for, where a query says it. */
  readonly uses?: readonly Use[];
  /** Since when it holds; from now on where that is not known. */
  readonly since?: Date;
}

/** Who says that the edges are there. */
export interface Provenance {
  readonly origin: LineageOrigin;
  readonly integrationId?: string | null;
  /** The query they were read from. */
  readonly queryId?: string | null;
}

/** The columns of an edge, read from the alias `e` with the field names of Prisma's type. */
export const edgeColumns = columnsOf(Prisma.LineageEdgeScalarFieldEnum, 'e');

/** Of two edges of the same pair, origin and integration only one can hold at a time; each that ended is another. */
export const sameEdge = Prisma.sql`(workspace_id, source_id, target_id, origin,
  coalesce(integration_id, '00000000-0000-0000-0000-000000000000'::uuid),
  (case when valid_to is null then '00000000-0000-0000-0000-000000000000'::uuid else id end))`;

/**
 * Make the edges that are not there yet, within a transaction, and return those that were made; a
 * pair with one that is not of this workspace makes none, and neither does a resource with itself, but
 * for a column of a table that its query reads again. An edge that a query gave stays as it is where the
 * same is read from what names no query. An edge between columns implies one between their tables.
 */
export async function connect(
  tx: Context,
  pairs: readonly Pair[],
  { origin, integrationId = null, queryId = null }: Provenance,
): Promise<LineageEdge[]> {
  const sources = pairs.map(({ sourceId }) => sourceId);
  const targets = pairs.map(({ targetId }) => targetId);
  const expressions = pairs.map(({ expression }) => expression ?? null);
  const strengths = pairs.map(({ strength }) => strength ?? 'DIRECT');
  const uses = pairs.map((pair) => (pair.uses ?? []).join(' '));
  const now = tx.now();
  const since = pairs.map((pair) => pair.since ?? now);
  const made = await rows<LineageEdge>(
    tx,
    Prisma.sql`insert into lineage_edge as e (workspace_id, source_id, target_id, level, origin,
        integration_id, query_id, expression, strength, uses, created_by_id, created_at, updated_at,
        valid_from)
      select s.workspace_id, s.id, t.id,
        case when 'column' in (s.kind, t.kind) then 'COLUMN' else 'TABLE' end, ${origin},
        ${integrationId}::uuid, ${queryId}::uuid, p.expression, p.strength,
        string_to_array(p.uses, ' '), ${tx.viewer.id}::uuid, ${now}::timestamptz, ${now}::timestamptz, p.since
      from (select distinct on (source_id, target_id) *
        from unnest(${sources}::uuid[], ${targets}::uuid[], ${expressions}::text[],
          ${strengths}::text[], ${uses}::text[], ${since}::timestamptz[])
          p(source_id, target_id, expression, strength, uses, since)
        order by source_id, target_id, strength, expression) p
      join resource s on s.workspace_id = ${tx.workspaceId}::uuid and s.id = p.source_id
      join resource t on t.workspace_id = ${tx.workspaceId}::uuid and t.id = p.target_id
      where s.id <> t.id or (${origin} = 'QUERY' and s.kind = 'column')
      order by s.id, t.id
      on conflict ${sameEdge}
        do update set implied = false, created_by_id = excluded.created_by_id,
          query_id = excluded.query_id, expression = excluded.expression,
          strength = excluded.strength, uses = excluded.uses, updated_at = excluded.updated_at
        where e.implied or e.origin = 'QUERY'
          and (excluded.query_id is not null or e.query_id is null)
          and (excluded.query_id, excluded.expression, excluded.strength, excluded.uses)
            is distinct from (e.query_id, e.expression, e.strength, e.uses)
      returning ${edgeColumns}`,
  );
  const columns = made.filter(({ level }) => level === 'COLUMN');
  await settleTables(
    tx,
    columns.map(({ sourceId }) => sourceId),
  );
  return made;
}

/** End edges that hold, within a transaction, and what they alone implied. */
export async function disconnect(tx: Context, ids: readonly string[]): Promise<LineageEdge[]> {
  const ended = await rows<LineageEdge>(
    tx,
    Prisma.sql`update lineage_edge e
      set valid_to = ${tx.now()}::timestamptz, updated_at = ${tx.now()}::timestamptz
      where e.workspace_id = ${tx.workspaceId}::uuid and e.id = any(${[...ids]}::uuid[])
        and e.valid_to is null
      returning ${edgeColumns}`,
  );
  await settleTables(
    tx,
    ended.map(({ sourceId }) => sourceId),
  );
  return ended;
}

/** Edges by the full titles of their ends, each once, for the audit log; null where there are none. */
export async function nameEdges(
  tx: Context,
  edges: readonly LineageEdge[],
): Promise<string[] | null> {
  if (edges.length === 0) return null;
  const named = await rows<{ edge: string }>(
    tx,
    Prisma.sql`select distinct s.title_full || ' -> ' || t.title_full as edge
      from lineage_edge e
      join resource s on s.workspace_id = e.workspace_id and s.id = e.source_id
      join resource t on t.workspace_id = e.workspace_id and t.id = e.target_id
      where e.workspace_id = ${tx.workspaceId}::uuid
        and e.id = any(${edges.map(({ id }) => id)}::uuid[])
      order by edge`,
  );
  return named.map(({ edge }) => edge);
}
