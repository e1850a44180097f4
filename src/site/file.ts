// Sends the files of our own web pages: packed, with a tag, under a strict policy.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import { takesCoding } from '../http/accept.ts';
import { strictHeaders, stylingHeaders } from '../http/strict-headers.ts';

/** A file of a page, kept packed. */
export interface PageFile {
  readonly type: string;
  readonly gzipped: Uint8Array;
  /** The same by Brotli, which is smaller; set where it was packed beforehand. */
  readonly brotli?: Uint8Array | undefined;
  /** Quoted, as it stands in the header `ETag`. */
  readonly tag: string;
}

/** A file, and whether a browser asks for it each time, or keeps it because its address changes. */
export interface SiteFile {
  readonly file: PageFile;
  readonly keeping: 'ask' | 'keep';
  /** Set for the page whose code editor makes styles while it runs. */
  readonly makesStyles?: true;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  map: 'application/json; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
};

/** Send a file to a GET or HEAD request: 200, or 304 where the browser has it already. */
export function sendPageFile(
  request: IncomingMessage,
  response: ServerResponse,
  { file: { type, gzipped, brotli, tag }, keeping, makesStyles }: SiteFile,
): void {
  const headers = {
    etag: tag,
    vary: 'accept, accept-encoding',
    'cache-control': keeping === 'keep' ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(makesStyles ? stylingHeaders : strictHeaders),
  };
  if (request.headers['if-none-match'] === tag) {
    response.writeHead(304, headers).end();
    return;
  }
  const accepted = request.headers['accept-encoding'];
  const packed =
    brotli && takesCoding(accepted, 'br')
      ? { coding: 'br', bytes: brotli }
      : takesCoding(accepted, 'gzip') && { coding: 'gzip', bytes: gzipped };
  response.writeHead(200, {
    ...headers,
    'content-type': type,
    'content-length': packed ? packed.bytes.byteLength : unpackedLength(gzipped),
    ...(packed ? { 'content-encoding': packed.coding } : {}),
  });
  if (request.method === 'HEAD') response.end();
  else if (packed) response.end(packed.bytes);
  else sendUnpacked(gzipped, response);
}

/** What gzip says of it in its last four bytes. */
function unpackedLength({ buffer, byteOffset, byteLength }: Uint8Array): number {
  return new DataView(buffer, byteOffset, byteLength).getUint32(byteLength - 4, true);
}

/** Unpack a file on a thread, piece by piece, no faster than its client reads it. */
function sendUnpacked(gzipped: Uint8Array, response: ServerResponse): void {
  const unpacking = createGunzip();
  // A client that leaves ends it; nothing else can, as the file is one of ours.
  pipeline(unpacking, response, () => {});
  unpacking.end(gzipped);
}

/** Names that a client asks for, and no file can have, are of no file: too long a one, or one below a file. */
const absent = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'];

/** What a file holds; undefined where there is none at that address. */
export async function readIfThere(address: URL): Promise<Buffer | undefined> {
  try {
    return await readFile(address);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (typeof code === 'string' && absent.includes(code)) return undefined;
    throw error;
  }
}

/** Make a file of its text; its name says its type. */
export function pageFile(name: string, text: string | Uint8Array): PageFile {
  return packedPageFile(name, gzipSync(text));
}

/** Make a file of its packed text; its name says its type. */
export function packedPageFile(name: string, gzipped: Uint8Array): PageFile {
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const tag = `"${createHash('sha256').update(gzipped).digest('base64url').slice(0, 22)}"`;
  return { type: types[extension] ?? 'application/octet-stream', gzipped, tag };
}
