// Writes the files that the import bench reads: a warehouse of many tables, and lineage among them.

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** What the lines of lineage lead between. */
export type Ends = 'tables' | 'columns' | 'both';

const columnsInTable = 20;
const tablesInSchema = 500;

const nouns = ['customer', 'order', 'item', 'payment', 'session', 'refund', 'invoice', 'visit'];
const aspects = ['id', 'name', 'total', 'created_at', 'status', 'region', 'amount', 'code', 'flag'];

const pick = (list: readonly string[], n: number) => list[n % list.length] ?? '';
const schemaKey = (n: number) => `shop.schema_${n}`;
const tableKey = (n: number) => `${schemaKey(Math.floor(n / tablesInSchema))}.table_${n}`;
const columnKey = (n: number) => `${tableKey(Math.floor(n / columnsInTable))}.column_${n}`;

/**
 * Tables and columns, in the order in which a tool would list them. `shop` is what descriptions call
 * it: files that differ in it alone describe the same things with other words.
 */
export async function writeResources(path: string, count: number, shop = 'shop'): Promise<void> {
  await write(path, resources(count, shop));
}

function* resources(count: number, shop: string): Generator<object> {
  let left = count - 1;
  yield { entity_type: 'database', databuilder_id: 'shop', title: 'shop' };
  for (let table = 0; left > 0; table++) {
    const schema = Math.floor(table / tablesInSchema);
    if (table % tablesInSchema === 0) {
      left--;
      const parent_databuilder_id = 'shop';
      const title = `schema_${schema}`;
      yield {
        entity_type: 'schema',
        databuilder_id: schemaKey(schema),
        parent_databuilder_id,
        title,
      };
    }
    if (left-- <= 0) return;
    yield {
      entity_type: 'table',
      databuilder_id: tableKey(table),
      parent_databuilder_id: schemaKey(schema),
      title: `${pick(nouns, table)}_${pick(aspects, table >> 3)}_${table}`,
      native_type: table % 4 === 0 ? 'view' : 'table',
      description: `Every ${pick(nouns, table)} of the ${shop}, by ${pick(aspects, table >> 3)}.`,
      external_usage: table % 1000,
      ...(table % 10 === 0 ? { tags: [pick(nouns, table)] } : {}),
    };
    for (let i = 0; i < columnsInTable && left-- > 0; i++) {
      const column = table * columnsInTable + i;
      yield {
        entity_type: 'column',
        databuilder_id: columnKey(column),
        parent_databuilder_id: tableKey(table),
        title: `${pick(nouns, column >> 4)}_${pick(aspects, i)}_${i}`,
        type: i % 3 === 0 ? 'bigint' : 'varchar',
        sort_order: i + 1,
        ...(i % 4 === 0
          ? {
              description: `The ${pick(aspects, i)} of the ${pick(nouns, column >> 4)} of the ${shop}.`,
            }
          : {}),
      };
    }
  }
}

/** Lineage among tables or columns: most of it near by, as in a warehouse of layers, some far. */
export async function writeLineages(
  path: string,
  { resources, lineages, ends }: { resources: number; lineages: number; ends: Ends },
): Promise<void> {
  const tables = Math.floor((resources - 2) / (columnsInTable + 1.01));
  await write(path, edges(tables, lineages, ends));
}

function* edges(tables: number, count: number, ends: Ends): Generator<object> {
  const random = generator(42);
  const internal = (databuilder_id: string) => ({ internal_resource: { databuilder_id } });
  for (let i = 0; i < count; i++) {
    const isColumn = ends === 'columns' || (ends === 'both' && i % 2 === 0);
    const nodes = isColumn ? tables * columnsInTable : tables;
    const key = isColumn ? columnKey : tableKey;
    const from = Math.floor(random() * nodes);
    const isFar = random() < 0.2;
    const step = 1 + Math.floor(random() * (isFar ? nodes - 1 : Math.min(2_000, nodes - 1)));
    yield {
      from_identifier: internal(key(from)),
      to_identifier: internal(key((from + step) % nodes)),
    };
  }
}

/** Numbers from 0 to 1 that are the same in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function write(path: string, rows: Iterable<object>): Promise<void> {
  await pipeline(Readable.from(chunks(rows)), createWriteStream(path));
}

function* chunks(rows: Iterable<object>): Generator<string> {
  let chunk = '';
  for (const row of rows) {
    chunk += `${JSON.stringify(row)}\n`;
    if (chunk.length < 65_536) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
