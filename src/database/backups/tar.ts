// The file that a backup is: a tar whose entries are small enough to be held in memory.

import { createHash } from 'node:crypto';
import { createTarDecoder, createTarPacker } from 'modern-tar';

/** One file of the archive. */
export interface Entry {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The last entry: the checksums of all others, as `sha256sum --check` reads them. */
const sumsName = 'SHA256SUMS';
/** A larger entry is none that we wrote. */
const maxEntryBytes = 64 * 1024 * 1024;

const sumOf = ({ name, bytes }: Entry) =>
  `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;

/** The bytes of a tar with these entries and their checksums, made as they are asked for. */
export function pack(entries: AsyncIterable<Entry>, time: Date): AsyncIterable<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const add = async ({ name, bytes }: Entry) => {
    const header = { name, size: bytes.length, mode: 0o600, mtime: time };
    const writer = controller.add(header).getWriter();
    await writer.write(bytes);
    await writer.close();
  };
  const fill = async () => {
    let sums = '';
    for await (const entry of entries) {
      sums += sumOf(entry);
      await add(entry);
    }
    await add({ name: sumsName, bytes: Buffer.from(sums) });
    controller.finalize();
  };
  // Anyone who reads the bytes is notified of a failure.
  fill().catch((error: unknown) => controller.error(error));
  return readable;
}

/** Hands out the entries of a file one after the other; disposed of, it lets go of the file. */
export interface EntryReader extends AsyncDisposable {
  /** The bytes of the next entry where it has this name; null where it has another, or is none. */
  take(name: string): Promise<Buffer | null>;
  /** Make sure that all entries were taken. Throws with the name of one that is not as it was. */
  end(): Promise<void>;
}

/** Read a tar. Taking throws where it is none, is damaged or cut short. */
export function readEntries(bytes: AsyncIterable<Uint8Array>): EntryReader {
  const entries = unpack(bytes);
  const sums: string[] = [];
  let next: Promise<IteratorResult<Entry, void>> | null = null;
  async function take(name: string): Promise<Buffer | null> {
    next ??= entries.next();
    const { value } = await next;
    if (value?.name !== name) return null;
    next = null;
    sums.push(sumOf(value));
    return value.bytes;
  }
  return {
    take,
    async end() {
      const taken = sums.slice();
      const written = (await take(sumsName))?.toString().split(/(?<=\n)/);
      const more = await (next ?? entries.next());
      if (!written || !more.done) throw damaged(more.value?.name ?? sumsName);
      const wrong = written.findIndex((line, i) => line !== taken[i]);
      const line = wrong === -1 ? taken[written.length] : (taken[wrong] ?? written[wrong]);
      if (line !== undefined) throw damaged(line.slice(66).trim());
    },
    async [Symbol.asyncDispose]() {
      await entries.return();
    },
  };
}

/** What to say of a file that is not as it was written; where it is wrong. */
export function damaged(where: string, cause?: unknown): Error {
  return new Error(`The backup is damaged in ${where}: use another copy of the file.`, { cause });
}

async function* unpack(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Entry, void> {
  const { readable, writable } = createTarDecoder({ strict: true });
  const writer = writable.getWriter();
  const fill = async () => {
    for await (const piece of bytes) await writer.write(piece);
    await writer.close();
  };
  // Anyone who reads the entries is notified of a failure.
  fill().catch((error: unknown) => writer.abort(error).catch(() => {}));
  let last = '';
  try {
    for await (const { header, body } of readable) {
      if (header.size > maxEntryBytes) throw new Error(`${header.name} is too large.`);
      const pieces: Uint8Array[] = [];
      for await (const piece of body) pieces.push(piece);
      last = header.name;
      yield { name: header.name, bytes: Buffer.concat(pieces) };
    }
  } catch (error) {
    throw unreadable(last, error);
  }
}

function unreadable(last: string, error: unknown): Error {
  if (error instanceof Error && 'syscall' in error) {
    return new Error(`The backup can't be read: ${error.message}.`);
  }
  if (last === '') return new Error('The file is not a backup.', { cause: error });
  return new Error(
    `The backup is damaged or cut short after ${last}: use another copy of the file.`,
    { cause: error },
  );
}
