// What tests of readers share: sources from text or bytes, and everything that a reader reads.

import type {
  Extracted,
  ExtractedLineage,
  ExtractedResource,
} from '../../../src/integrations/readers/extraction.ts';
import type { FileSource } from '../../../src/integrations/readers/source.ts';

/** A source that hands out its bytes in pieces of a few, so that every border falls somewhere. */
export function inPieces(file: string, content: string | Buffer, size = 7): FileSource {
  const bytes = Buffer.from(content);
  return {
    file,
    bytes: (async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })(),
  };
}

export async function all(extraction: AsyncIterable<Extracted>): Promise<Extracted[]> {
  const pieces: Extracted[] = [];
  for await (const piece of extraction) pieces.push(piece);
  return pieces;
}

export async function resourcesOf(
  extraction: AsyncIterable<Extracted>,
): Promise<ExtractedResource[]> {
  return (await all(extraction)).flatMap((piece) =>
    piece.is === 'resource' ? [piece.resource] : [],
  );
}

export async function lineageOf(extraction: AsyncIterable<Extracted>): Promise<ExtractedLineage[]> {
  return (await all(extraction)).flatMap((piece) =>
    piece.is === 'lineage' ? [piece.lineage] : [],
  );
}

/** The message of what a reader throws, which must be an error for the client. */
export async function refusalOf(extraction: AsyncIterable<unknown>): Promise<string> {
  try {
    for await (const _ of extraction);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'BAD_REQUEST') {
      return error.message;
    }
    throw error;
  }
  throw new Error('It was read without an error.');
}
