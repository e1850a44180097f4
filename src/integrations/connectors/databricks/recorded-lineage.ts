// The lineage that Databricks records of what ran: a window of it, each edge once.

import type { ExtractedLineage, Extraction, Reference } from '../../readers/extraction.ts';
import type { Ask } from '../connector.ts';
import { rowsIfAllowed } from '../login-rights.ts';
import type { SchemaChoice } from '../patterns.ts';
import { text } from '../source-answer.ts';
import { literal } from './catalog.ts';

const timeoutMs = 300_000;
/** What was not seen for so long is no lineage any more. */
const days = 90;
/** Of one schema: an answer is cut above 25 MiB. */
const maxEdges = 50_000;

const window = `event_date >= current_date() - INTERVAL ${days} DAY
  AND source_table_name IS NOT NULL AND target_table_name IS NOT NULL`;
const places = `SELECT DISTINCT target_table_catalog, target_table_schema
  FROM system.access.table_lineage WHERE ${window} ORDER BY 1, 2`;

const sources = 'source_table_catalog, source_table_schema, source_table_name';

const edgesInto = (catalog: string, schema: string) => {
  const into = `${window} AND target_table_catalog = ${literal(catalog)}
    AND target_table_schema = ${literal(schema)}`;
  return `SELECT DISTINCT ${sources}, source_column_name, target_table_name, target_column_name
      FROM system.access.column_lineage WHERE ${into}
    UNION SELECT DISTINCT ${sources}, CAST(NULL AS STRING), target_table_name, CAST(NULL AS STRING)
      FROM system.access.table_lineage WHERE ${into}
    ORDER BY 1, 2, 3, 4, 5, 6 LIMIT ${maxEdges + 1}`;
};

/** The edges of the schemas that are read; nothing where the login may not see them, or nothing is recorded. */
export async function* recordedEdges(
  ask: Ask,
  choice: SchemaChoice,
  note: (line: string) => void,
): Extraction {
  for (const row of (await rowsIfAllowed(ask, places, timeoutMs)) ?? []) {
    const [catalog = '', schema = ''] = row.map(text);
    if (!choice.schema(catalog, schema)) continue;
    const { rows } = await ask(edgesInto(catalog, schema), { timeoutMs });
    if (rows.length > maxEdges) {
      note(`Of the lineage into ${catalog}.${schema} the first ${maxEdges} edges are read.`);
    }
    for (const edge of rows.slice(0, maxEdges)) {
      const lineage = edgeOf(catalog, schema, edge);
      if (lineage) yield { is: 'lineage', lineage };
    }
  }
}

function edgeOf(
  catalog: string,
  schema: string,
  [database, inSchema, table, column, target, targetColumn]: readonly unknown[],
): ExtractedLineage | null {
  const place = (path: readonly unknown[], name: unknown): Reference => {
    const [ofDatabase = '', ofSchema = '', ofTable = ''] = path.map(text);
    const own = { by: 'name' as const, database: ofDatabase, schema: ofSchema, table: ofTable };
    return name === null ? own : { ...own, column: text(name) };
  };
  const from = place([database, inSchema, table], column);
  const to = place([catalog, schema, target], targetColumn);
  // A column that only decides about rows has no column of the target.
  return (column === null) === (targetColumn === null) ? { line: 0, from, to } : null;
}

/** Whether the login sees what is recorded. */
export async function seesLineage(ask: Ask): Promise<boolean> {
  const sql = 'SELECT 1 FROM system.access.column_lineage LIMIT 0';
  return (await rowsIfAllowed(ask, sql, timeoutMs)) !== null;
}
