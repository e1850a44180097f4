// The lineage that Snowflake records of what ran (Enterprise edition): a window of it, each edge once.

import type { Extraction, Reference } from '../../readers/extraction.ts';
import type { Ask } from '../connector.ts';
import { rowsIfAllowed } from '../login-rights.ts';
import type { SchemaChoice } from '../patterns.ts';
import { text, textOrNull } from '../source-answer.ts';

const timeoutMs = 300_000;
/** What was not seen for so long is no lineage any more. */
const days = 90;
const maxEdges = 200_000;

// Of what a statement read directly: a view rather than the tables below it. Without an id it could not be resolved.
const edges = `SELECT DISTINCT s.value:objectName::varchar, s.value:columnName::varchar,
    m.value:objectName::varchar, c.value:columnName::varchar
  FROM SNOWFLAKE.ACCOUNT_USAGE.ACCESS_HISTORY h,
    LATERAL FLATTEN(input => h.objects_modified) m,
    LATERAL FLATTEN(input => m.value:columns) c,
    LATERAL FLATTEN(input => c.value:directSources) s
  WHERE h.query_start_time >= DATEADD(day, -${days}, CURRENT_TIMESTAMP())
    AND m.value:objectId IS NOT NULL AND s.value:objectId IS NOT NULL
  ORDER BY 1, 2, 3, 4 LIMIT ${maxEdges + 1}`;

/** The edges into schemas that are read; nothing where the role may not see them, or the edition keeps none. */
export async function* recordedAccess(
  ask: Ask,
  choice: SchemaChoice,
  note: (line: string) => void,
): Extraction {
  const rows = (await rowsIfAllowed(ask, edges, timeoutMs)) ?? [];
  if (rows.length > maxEdges) {
    note(`Of the lineage that Snowflake records the first ${maxEdges} edges are read.`);
  }
  const met = new Set<string>();
  for (const [source, column, target, targetColumn] of rows.slice(0, maxEdges)) {
    const [from, to] = [pathOf(source), pathOf(target)];
    const [database = '', schema = ''] = to;
    if (from.length !== 3 || to.length !== 3 || !choice.schema(database, schema)) continue;
    const pairs = [
      [null, null],
      [textOrNull(column), textOrNull(targetColumn)],
    ] as const;
    for (const [ofSource, ofTarget] of pairs) {
      const key = JSON.stringify([from, ofSource, to, ofTarget]);
      if ((ofSource === null) !== (ofTarget === null) || met.has(key)) continue;
      met.add(key);
      const lineage = { line: 0, from: named(from, ofSource), to: named(to, ofTarget) };
      yield { is: 'lineage', lineage };
    }
  }
}

/** The parts of a name, of which those that need quotes have them. A table that dbt makes before it renames it is that one. */
function pathOf(name: unknown): string[] {
  const parts = text(name).match(/"(?:[^"]|"")*"|[^."]+/g) ?? [];
  const path = parts.map((part) =>
    part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part,
  );
  return path.map((part, at) => (at === path.length - 1 ? part.replace(/__DBT_TMP$/i, '') : part));
}

function named(path: readonly string[], column: string | null): Reference {
  const [database, schema, table = ''] = path;
  const own = { by: 'name' as const, database, schema, table };
  return column === null ? own : { ...own, column };
}
