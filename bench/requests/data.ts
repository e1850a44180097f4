// Writes the files of the catalog that requests are measured on: tables in layers, each made from three before it.

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** How many resources a catalog has, by the name of its size. */
export const sizes = { '10k': 10_000, '100k': 100_000, '1m': 1_000_000 } as const;

const layers = 12;
const sources = 3;
const tablesInSchema = 500;
/** A table is made from tables this near by, one in five from any of the layer before. */
const near = 12;

const nouns = ['customer', 'order', 'item', 'payment', 'session', 'refund', 'invoice', 'visit'];
const aspects = ['id', 'name', 'total', 'created_at', 'status', 'region', 'amount', 'code', 'flag'];
/** People whom the tables belong to; the bench makes them first. */
export const owners = nouns.map((noun) => `${noun}@example.com`);

const pick = (list: readonly string[], n: number) => list[n % list.length] ?? '';
const tableKey = (n: number) => `shop.table_${n}`;

/** Write both files of a catalog of so many resources. */
export async function writeCatalog(
  files: { readonly resources: string; readonly lineages: string },
  count: number,
): Promise<void> {
  const tables = Math.floor((count - 1) / (1 + 1 / tablesInSchema));
  await write(files.resources, resources(tables));
  await write(files.lineages, edges(tables));
}

function* resources(tables: number): Generator<object> {
  yield { entity_type: 'database', databuilder_id: 'shop', title: 'shop' };
  for (let n = 0; n < tables; n++) {
    const schema = `shop.schema_${Math.floor(n / tablesInSchema)}`;
    if (n % tablesInSchema === 0) {
      const title = schema.slice('shop.'.length);
      yield {
        entity_type: 'schema',
        databuilder_id: schema,
        parent_databuilder_id: 'shop',
        title,
      };
    }
    yield {
      entity_type: 'table',
      databuilder_id: tableKey(n),
      parent_databuilder_id: schema,
      title: `${pick(nouns, n)}_${pick(aspects, n >> 3)}_${n}`,
      native_type: n % 4 === 0 ? 'view' : 'table',
      description: `Every ${pick(nouns, n)} of the shop, by ${pick(aspects, n >> 3)}.`,
      external_usage: n % 1000,
      owners: [pick(owners, n >> 2), pick(owners, n >> 5)],
      tags: [pick(nouns, n), ...(n % 997 === 0 ? ['rare'] : [])],
    };
  }
}

function* edges(tables: number): Generator<object> {
  const random = generator(42);
  const size = Math.floor(tables / layers);
  const internal = (n: number) => ({ internal_resource: { databuilder_id: tableKey(n) } });
  for (let n = size; n < size * layers; n++) {
    const [layer, place] = [Math.floor(n / size) - 1, n % size];
    for (let i = 0; i < sources; i++) {
      const step = Math.floor(random() * (random() < 0.2 ? size : near));
      yield {
        from_identifier: internal(layer * size + ((place + step) % size)),
        to_identifier: internal(n),
      };
    }
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

async function write(path: string, lines: Iterable<object>): Promise<void> {
  await pipeline(Readable.from(chunks(lines)), createWriteStream(path));
}

function* chunks(lines: Iterable<object>): Generator<string> {
  let chunk = '';
  for (const line of lines) {
    chunk += `${JSON.stringify(line)}\n`;
    if (chunk.length < 65_536) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
