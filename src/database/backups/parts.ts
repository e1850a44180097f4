// The parts that the rows of a table are cut into, each compressed by itself.

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { damaged } from './tar.ts';

/** Length of a part before it is compressed, but for the last one; a few of them are in memory at once. */
const partBytes = 4 * 1024 * 1024;
/** A longer part is none that we wrote: it was made to fill the memory. */
const maxPartBytes = 16 * partBytes;
/** Higher levels take several times as long for some percent. */
const level = 3;

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** The name of a part of a table, from 1. */
export function partName(table: string, number: number): string {
  return `tables/${table}/${String(number).padStart(6, '0')}.copy.gz`;
}

/**
 * Cut bytes into compressed parts. Each is a gzip file, and so are all of them put together in their
 * order.
 */
export function toParts(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  return mapAhead(gather(pieces), (part) => compress(part, { level }));
}

/** What the parts of a table were before they were compressed. Throws where one is damaged. */
export function fromParts(parts: AsyncIterable<Buffer>, table: string): AsyncGenerator<Buffer> {
  return mapAhead(parts, async (part) => {
    try {
      return await expand(part, { maxOutputLength: maxPartBytes });
    } catch (error) {
      throw damaged(`the table ${table}`, error);
    }
  });
}

async function* gather(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    gathered.push(piece);
    length += piece.length;
    if (length < partBytes) continue;
    yield Buffer.concat(gathered, length);
    gathered = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(gathered, length);
}

/** Map items in order; while one is mapped, the next one is waited for. */
async function* mapAhead(
  items: AsyncIterable<Buffer>,
  map: (item: Buffer) => Promise<Buffer>,
): AsyncGenerator<Buffer> {
  let mapping: Promise<Buffer> | null = null;
  for await (const item of items) {
    const before = mapping;
    mapping = map(item);
    // It is waited for later: until then a failure is not unhandled.
    mapping.catch(() => {});
    if (before) yield await before;
  }
  if (mapping) yield await mapping;
}
