// State after a kill: acknowledged writes that are missing, and half-done ones.

import pg from 'pg';
import { seeingEvery } from '../../src/database/connections/session-settings.ts';
import { clientOf } from '../edits/client.ts';
import { type Acknowledged, importedTables } from './writes.ts';

export interface Left {
  /** What was acknowledged and is not there, by kind. */
  readonly lost: Readonly<Record<string, number>>;
  /** What is there by half, by kind. */
  readonly torn: Readonly<Record<string, number>>;
}

export interface Place {
  /** The database, for who may see everything. */
  readonly url: string;
  readonly address: string;
  readonly key: string;
  readonly integration: string;
}

/** Look for all that was acknowledged, as the database has it, and as the server shows edges. */
export async function lookAfter(place: Place, acknowledged: Acknowledged): Promise<Left> {
  const client = new pg.Client({ connectionString: seeingEvery(place.url) });
  client.on('error', () => {});
  await client.connect();
  const count = async (query: string, values: unknown[] = []) => {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n ${query}`,
      values,
    );
    return rows[0]?.n ?? 0;
  };
  const countAll = async (queries: readonly string[]) => {
    let sum = 0;
    for (const query of queries) sum += await count(query);
    return sum;
  };
  try {
    const imports = await lookAtImports(client, place, acknowledged);
    const { tags, edits, edges } = acknowledged;
    return {
      lost: {
        tags: await count(
          'from unnest($1::text[]) n where not exists (select from tag where name = n)',
          [tags],
        ),
        edits: await count(
          `from jsonb_to_recordset($1) e("table" uuid, description text) where not exists (
             select from resource r where r.id = e.table and r.description = e.description)`,
          [JSON.stringify(edits)],
        ),
        edges: await count(
          `from jsonb_to_recordset($1) e("from" uuid, "to" uuid) where not exists (select from lineage_edge x
             where x.source_id = e.from and x.target_id = e.to and x.valid_to is null)`,
          [JSON.stringify(edges)],
        ),
        imports: imports.lost,
      },
      torn: {
        unrecorded: await countAll(unrecorded),
        recorded: await countAll(notThere),
        implied: await count(withoutImplied),
        entries: await lookAtEntries(place, acknowledged),
        imports: imports.torn,
      },
    };
  } finally {
    await client.end();
  }
}

/** What is there without its entry in the audit log. */
const unrecorded = [
  `from tag t where not exists (select from audit_log a
     where a.activity_type = 'tag_created' and a.resource_id = t.id)`,
  `from resource r where r.integration_id is null and r.kind in ('table', 'column') and not exists (
     select from audit_log a where a.activity_type = r.kind || '_created' and a.resource_id = r.id)`,
  `from resource r where r.description like 'edit %' and not exists (select from audit_log a
     where a.activity_type = 'table_updated' and a.resource_id = r.id
       and a.changes @> jsonb_build_array(jsonb_build_object('after', r.description)))`,
  `from lineage_edge e where not e.implied and not exists (select from audit_log a
     where a.activity_type = 'lineage_created' and a.resource_id = e.source_id
       and e.target_id = any(a.related_resource_ids))`,
];

/** Entries of the audit log whose deed is not there. */
const notThere = [
  `from audit_log a where a.activity_type = 'tag_created'
     and not exists (select from tag t where t.id = a.resource_id)`,
  `from audit_log a where a.activity_type in ('table_created', 'column_created')
     and not exists (select from resource r where r.id = a.resource_id)`,
  `from audit_log a where a.activity_type = 'table_updated' and a.changed_fields @> '{description}'
     and not exists (select from resource r where r.id = a.resource_id and r.description like 'edit %')`,
  `from audit_log a where a.activity_type = 'lineage_created' and not exists (select from lineage_edge e
     where e.source_id = a.resource_id and e.target_id = any(a.related_resource_ids))`,
];

/** Edges between columns whose tables have none, though it follows. */
const withoutImplied = `from lineage_edge e
  join resource s on s.id = e.source_id join resource t on t.id = e.target_id
  where e.level = 'COLUMN' and e.valid_to is null and not exists (select from lineage_edge i
    where i.source_id = s.parent_id and i.target_id = t.parent_id and i.valid_to is null)`;

/** How many edges do not have two entries, one of each direction. */
async function lookAtEntries({ address, key }: Place, { edges }: Acknowledged): Promise<number> {
  const { rest } = clientOf(address, key);
  let torn = 0;
  for (const { from, to } of edges) {
    const { data, refusal, message } = await rest(
      'GET',
      `/lineage/manual?from_entity__in=${from},${to}`,
    );
    if (refusal !== null) throw new Error(`${refusal}: ${message}`);
    const entries: { direction: string; from_entity: string }[] = data.results;
    const found = entries.map((entry) => `${entry.direction} ${entry.from_entity}`).sort();
    if (found.join() !== [`DOWNSTREAM ${from}`, `UPSTREAM ${to}`].join()) torn += 1;
  }
  return torn;
}

/** Each import gives every table its own title: two titles, or fewer tables, are half an import. */
async function lookAtImports(
  client: pg.Client,
  { integration }: Place,
  { imports }: Acknowledged,
): Promise<{ lost: number; torn: number }> {
  const { rows } = await client.query<{ title: string; n: number }>(
    'select title, count(*)::int as n from resource where integration_id = $1 group by title',
    [integration],
  );
  const [first] = rows;
  const isHalf = rows.length > 1 || (first && first.n !== importedTables);
  const there = Math.max(-1, ...rows.map(({ title }) => Number(title.replace('import ', ''))));
  return { lost: there < Math.max(-1, ...imports) ? 1 : 0, torn: isHalf ? 1 : 0 };
}
