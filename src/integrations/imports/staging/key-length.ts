// How long the key of a resource may be.

import type { ExtractedResource } from '../../readers/extraction.ts';
import { badLine } from '../../readers/place.ts';

/** Bytes that a key may have: an entry of an index has at most 2,700, with what else is in it. */
const maxKeyBytes = 2_500;

/**
 * Keys are made of names, each of which may be short enough while all of them together are not. Throws
 * BAD_REQUEST.
 */
export function checkKey({ kind, key, line }: ExtractedResource, file: string): void {
  // No character of a text takes more than three bytes as UTF-8.
  if (key.length * 3 <= maxKeyBytes || Buffer.byteLength(key) <= maxKeyBytes) return;
  throw badLine(
    { file, line },
    `names a ${kind} by more than ${maxKeyBytes} bytes, together with what holds it.`,
  );
}
