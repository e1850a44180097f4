// Uploads: multipart files written to disk as they come, within limits, and cleaned up.

import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { CatalogError, invalid, invalidField, tooLarge } from '../errors.ts';
import type { MeetUnknown } from './unknown.ts';

/** What an upload may be. */
export interface UploadRules {
  /** The form fields that are files. */
  readonly files: readonly string[];
  /** Those of them that may come more than once. */
  readonly several?: readonly string[];
  /** The form's other fields; there are none where it is absent. */
  readonly fields?: readonly string[];
  /** Deals with fields of the form that no one reads: what it does not refuse is read past. */
  readonly meetUnknown: MeetUnknown;
  /** Bytes of all files together at most, after decompression. */
  readonly maxBytes: number;
  /** Where the files are kept while they are read; made if it isn't there. */
  readonly folder: string;
  /** An upload slower than this, over any quarter of a minute, is given up. */
  readonly minBytesPerSecond?: number;
}

/** A file on disk, decompressed. */
export interface SpooledFile {
  readonly path: string;
  /** The name that the client gave it. */
  readonly name: string;
  readonly bytes: number;
}

/** What was uploaded. Disposing of it removes the files. */
export interface Upload extends AsyncDisposable {
  /** By form field, in the order in which they came; one of a field that may not come again. */
  readonly files: ReadonlyMap<string, readonly SpooledFile[]>;
  /** The form's other fields. */
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * Write the files of a multipart request to disk; memory does not grow with them. The request or any
 * file of it may be compressed with gzip.
 * Throws BAD_REQUEST for a broken form, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE where it is no form,
 * REQUEST_TIMEOUT where it comes too slowly, and INSUFFICIENT_STORAGE where the disk is full.
 */
export async function receiveUpload(request: Request, rules: UploadRules): Promise<Upload> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(type)) {
    throw new CatalogError('UNSUPPORTED_MEDIA_TYPE', 'Send the files as multipart/form-data.');
  }
  const packed = request.headers.get('content-encoding') ?? 'identity';
  if (packed !== 'identity' && packed !== 'gzip') {
    throw new CatalogError('UNSUPPORTED_MEDIA_TYPE', 'The only content encoding is gzip.');
  }
  // The form around the files needs some room of its own.
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > rules.maxBytes + formBytes) throw oversize(rules);
  if (!request.body) throw invalid('The form is empty.');

  await mkdir(rules.folder, { recursive: true });
  const folder = await mkdtemp(join(rules.folder, prefix));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    const form = formOf(type);
    const { files, fields, written, abandon } = collect(form, folder, rules);
    const source = readableOf(request.body);
    const pace = watchPace(source, rules);
    const all = counted({ bytes: 0 }, rules.maxBytes + formBytes, rules);
    try {
      if (packed === 'gzip') await pipeline(source, pace, createGunzip(), all, form);
      else await pipeline(source, pace, all, form);
    } catch (error) {
      await abandon();
      throw error;
    }
    await written();
    const [first = ''] = rules.files;
    if (files.size === 0) throw invalidField(first, 'The file is missing.');
    return { files, fields, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw asClientError(error);
  }
}

/** A body as Node.js reads it: what came over HTTP is that already. */
function readableOf(body: NonNullable<Request['body']>): Readable {
  const inner: unknown = Reflect.get(body, 'readable');
  // The same class, declared twice with a difference in readers that are not used here.
  return inner instanceof Readable ? inner : Readable.fromWeb(body as ReadableStream<Uint8Array>);
}

/** The bytes of a file. It is opened when it is read: anyone who refuses the upload before that leaves no file open. */
export async function* bytesOf({ path }: SpooledFile): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

const abandonedMs = 24 * 3_600_000;

/**
 * Remove what uploads left in the folder that a crash cut off: what no one has written to for a day.
 * Other processes may be using the folder in the meantime.
 */
export async function forgetAbandoned(folder: string, now = Date.now()): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const path = join(folder, name);
    const files = await readdir(path).catch(() => []);
    const all = [path, ...files.map((file) => join(path, file))];
    const written = await Promise.all(all.map((one) => stat(one).then(timeOf, () => 0)));
    if (now - Math.max(...written) > abandonedMs) await rm(path, { recursive: true, force: true });
  }
}

function timeOf({ mtimeMs }: { readonly mtimeMs: number }): number {
  return mtimeMs;
}

const prefix = 'upload-';
const formBytes = 64 * 1024;
const formLimits = { fieldNameSize: 100, fieldSize: formBytes, fields: 20, parts: 40 };

/** What reads a form of a content type. Throws BAD_REQUEST where that has no boundary that could be looked for. */
function formOf(type: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: formLimits });
  } catch {
    throw invalid(
      "The form can't be read: its content type needs a boundary of 1 to 70 characters.",
    );
  }
}

/** Take what the form has as it comes: fields into a map, files onto disk. */
function collect(form: BusboyInstance, folder: string, rules: UploadRules) {
  const files = new Map<string, SpooledFile[]>();
  const fields = new Map<string, string>();
  const writes: Promise<void>[] = [];
  const open = new Set<Readable>();
  const total = { bytes: 0 };
  const known = [...rules.files, ...(rules.fields ?? [])];
  const meet = (field: string) => {
    try {
      rules.meetUnknown({ noun: 'form field', given: [field], known });
    } catch (error) {
      form.destroy(error instanceof Error ? error : invalid(String(error)));
    }
  };
  form.on('field', (name, value) => {
    if (rules.fields?.includes(name)) fields.set(name, value);
    else meet(name);
  });
  form.on('partsLimit', () => form.destroy(invalid('The form has too many parts.')));
  form.on('file', (field, stream, name) => {
    // A form that breaks off within a file fails there, too, and is refused as a whole: also where no one
    // reads the file.
    stream.on('error', () => {});
    if (!rules.files.includes(field)) {
      stream.resume();
      return meet(field);
    }
    const before = files.get(field) ?? [];
    if (before.length > 0 && !rules.several?.includes(field))
      return void form.destroy(invalidField(field, 'Send this part only once.'));
    const path = join(folder, String(writes.length));
    // The place is taken at once, so that a second file of the name is seen while this one comes.
    files.set(field, [...before, { path, name, bytes: 0 }]);
    open.add(stream);
    const write = spool(stream, path, total, rules).then(
      (bytes) => {
        const written = { path, name, bytes };
        const all = files.get(field) ?? [];
        files.set(
          field,
          all.map((file) => (file.path === path ? written : file)),
        );
      },
      (error: Error) => {
        // Neither read on for nothing, nor forget it where the form has already been read.
        form.destroy(inField(field, error));
        throw inField(field, error);
      },
    );
    write.catch(() => {});
    writes.push(write);
  });
  return {
    files,
    fields,
    written: () => Promise.all(writes),
    /** A form that breaks off leaves its file open, and no one would ever end it. */
    async abandon() {
      for (const stream of open) stream.destroy();
      await Promise.allSettled(writes);
    },
  };
}

/** Write one file. Its bytes count towards the total of the upload. */
async function spool(
  stream: Readable,
  path: string,
  total: { bytes: number },
  rules: UploadRules,
): Promise<number> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await pipeline(stream, unpacked, counted(total, rules.maxBytes, rules), file);
  return file.bytesWritten;
}

/** The same bytes, decompressed where they begin as gzip does. */
async function* unpacked(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < 2) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const whole = async function* () {
    yield head;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  if (head[0] !== 0x1f || head[1] !== 0x8b) return yield* whole();
  const gunzip = createGunzip();
  // What fails here makes the iteration below fail as well.
  pipeline(whole(), gunzip).catch(() => {});
  yield* gunzip;
}

function counted(total: { bytes: number }, limit: number, rules: UploadRules) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      total.bytes += chunk.length;
      if (total.bytes > limit) throw oversize(rules);
      yield chunk;
    }
  };
}

const paceSeconds = 15;

/** Watch the pace of a stream: it ends with an error once it comes too slowly. */
function watchPace(source: Readable, { minBytesPerSecond = 1024 }: UploadRules) {
  let bytes = 0;
  let waiting = true;
  const timer = setInterval(() => {
    // While we are busy writing, the client can't be blamed for what doesn't come.
    if (waiting && bytes < minBytesPerSecond * paceSeconds) {
      source.destroy(new CatalogError('REQUEST_TIMEOUT', 'The upload comes too slowly.'));
    }
    bytes = 0;
  }, paceSeconds * 1000);
  source.once('close', () => clearInterval(timer));
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      waiting = false;
      bytes += chunk.length;
      yield chunk;
      waiting = true;
    }
  };
}

function oversize({ maxBytes }: UploadRules): CatalogError {
  return tooLarge(`The upload is larger than ${maxBytes} bytes.`);
}

/** An error of decompression or writing, with the field of the file that it is about. */
function inField(field: string, error: Error): Error {
  const code = 'code' in error ? String(error.code) : '';
  return code.startsWith('Z_') ? invalidField(field, 'The file is not valid gzip.') : error;
}

/** What the client did, as an error for it; anything else as it is. */
function asClientError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CatalogError) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new CatalogError('INSUFFICIENT_STORAGE', 'There is no room for the upload.');
  }
  if (code.startsWith('Z_')) return invalid('The request is not valid gzip.');
  const broken = code === 'ERR_STREAM_PREMATURE_CLOSE' || error.name === 'AbortError';
  if (broken) return invalid('The upload was cut off.');
  // Busboy reports a broken form by messages alone.
  return /multipart|boundary|form/i.test(error.message)
    ? invalid(`The form can't be read: ${error.message}.`)
    : error;
}
