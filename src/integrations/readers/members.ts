// Reads a big JSON document in pieces: the members of the objects at its top.

import { isUtf8 } from 'node:buffer';
import { maxJsonDepth, readJson } from './json.ts';
import { badLine, type FilePlace } from './place.ts';

/** One member of one of the sections that were asked for. */
export interface JsonMember {
  /** Name of the section at the top of the document. */
  readonly section: string;
  /** Name of the member; its index where the section is a list, empty where it is taken whole. */
  readonly name: string;
  readonly value: unknown;
  readonly place: FilePlace;
}

/**
 * How each section is taken: member by member, as one value, member by member with their names alone (`names`: every
 * value is undefined), or passed over.
 */
export type Taking = 'members' | 'whole' | 'names' | 'passed';
export type Sections = Readonly<Record<string, Taking>>;

/** Bytes one member may have. The longest models that people have seen are some hundred kilobytes. */
const maxMemberBytes = 32 * 1024 * 1024;

const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const lineFeed = 0x0a;

/**
 * Read a JSON document member by member, holding one at a time: each is cut out of the bytes and given
 * to the engine's own parser. (Stream parsers hand out every token, ten times slower, and the known one
 * is not made for hostile input.) Sections that are not named are taken as `others` says. Throws BAD_REQUEST with line and column where it is not JSON.
 */
export async function* readMembers(
  file: string,
  bytes: AsyncIterable<Buffer>,
  sections: Sections,
  others: Taking = 'passed',
): AsyncGenerator<JsonMember> {
  const reader = new DocumentReader(file, bytes);
  await reader.start();
  await reader.expect(openBrace, 'an object');
  let more = !(await reader.skips(closeBrace));
  while (more) {
    const section = await reader.name();
    const wanted = Object.hasOwn(sections, section) ? sections[section] : others;
    const first = await reader.peek();
    const isApart = wanted === 'members' || wanted === 'names';
    const take = wanted === 'names' ? passedBy : asValue;
    if (isApart && first === openBrace) yield* membersOf(reader, section, take);
    else if (isApart && first === openBracket) yield* elementsOf(reader, section, take);
    else if (wanted === 'whole') yield { section, name: '', ...(await reader.value()) };
    else await reader.pass();
    more = await reader.goesOn(closeBrace);
  }
  await reader.end();
}

type Taken = Pick<JsonMember, 'value' | 'place'>;
type Take = (reader: DocumentReader) => Promise<Taken>;

const asValue: Take = (reader) => reader.value();
const passedBy: Take = (reader) => reader.pass();

async function* membersOf(
  reader: DocumentReader,
  section: string,
  take: Take,
): AsyncGenerator<JsonMember> {
  await reader.expect(openBrace, 'an object');
  let more = !(await reader.skips(closeBrace));
  while (more) {
    const name = await reader.name();
    yield { section, name, ...(await take(reader)) };
    more = await reader.goesOn(closeBrace);
  }
}

async function* elementsOf(
  reader: DocumentReader,
  section: string,
  take: Take,
): AsyncGenerator<JsonMember> {
  await reader.expect(openBracket, 'a list');
  let more = !(await reader.skips(closeBracket));
  for (let index = 0; more; index++) {
    yield { section, name: String(index), ...(await take(reader)) };
    more = await reader.goesOn(closeBracket);
  }
}

/** A position in the bytes of a document, which may only go forward. */
class DocumentReader {
  readonly #file: string;
  readonly #chunks: AsyncIterator<Buffer>;
  #chunk: Buffer = Buffer.alloc(0);
  #at = 0;
  #line = 1;
  /** Bytes of the current line that lie in chunks already dropped, less those of lines before. */
  #lineStart = 0;

  constructor(file: string, bytes: AsyncIterable<Buffer>) {
    this.#file = file;
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  async start(): Promise<void> {
    await this.#fill();
    const mark = [0xef, 0xbb, 0xbf];
    if (mark.every((byte, i) => this.#chunk[i] === byte)) this.#at = mark.length;
  }

  /** The next byte that is not space, without taking it; -1 at the end. */
  async peek(): Promise<number> {
    for (;;) {
      while (this.#at < this.#chunk.length) {
        const byte = this.#chunk[this.#at] ?? -1;
        if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== lineFeed) return byte;
        this.#at++;
        if (byte === lineFeed) this.#newLine();
      }
      if (!(await this.#fill())) return -1;
    }
  }

  async skips(byte: number): Promise<boolean> {
    if ((await this.peek()) !== byte) return false;
    this.#at++;
    return true;
  }

  async expect(byte: number, what: string): Promise<void> {
    if (!(await this.skips(byte))) throw this.#fault(what);
  }

  /** After a member: true at a comma, false at the closing bracket. */
  async goesOn(close: number): Promise<boolean> {
    if (await this.skips(comma)) return true;
    if (await this.skips(close)) return false;
    throw this.#fault('a comma or the closing bracket');
  }

  async name(): Promise<string> {
    if ((await this.peek()) !== quote) throw this.#fault('a name in double quotes');
    const { value } = await this.value();
    await this.expect(colon, 'a colon');
    return String(value);
  }

  async end(): Promise<void> {
    if ((await this.peek()) !== -1) throw this.#fault('the end of the file');
  }

  async value(): Promise<Taken> {
    await this.peek();
    const place = this.#place();
    const pieces: Buffer[] = [];
    await this.#scan(pieces);
    const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    if (!isUtf8(bytes)) throw badLine(place, 'starts a value that is not UTF-8 text.');
    const text = bytes.toString('utf8');
    const read = readJson(text);
    if (read.ok) return { value: read.value, place };
    const before = text.slice(0, read.fault.at).split('\n');
    const column = (before.at(-1)?.length ?? 0) + (before.length > 1 ? 0 : (place.column ?? 1) - 1);
    const at = { ...place, line: place.line + before.length - 1, column: column + 1 };
    throw badLine(at, `is not JSON: ${read.fault.message}.`);
  }

  /** Take the next value without reading it. */
  async pass(): Promise<Taken> {
    await this.peek();
    const place = this.#place();
    await this.#scan(undefined);
    return { value: undefined, place };
  }

  /** Take the bytes of the next value: up to the bracket or quote that closes it, or past a scalar. */
  async #scan(pieces: Buffer[] | undefined): Promise<void> {
    if (!startsValue(await this.peek())) throw this.#fault('a value');
    const scan = new ValueScan();
    let length = 0;
    for (;;) {
      const start = this.#at;
      const ended = this.#advance(scan);
      length += this.#at - start;
      if (scan.depth > maxJsonDepth) {
        throw badLine(this.#place(), `is nested deeper than ${maxJsonDepth} levels.`);
      }
      if (pieces && length > maxMemberBytes) {
        throw badLine(this.#place(), `is in a value longer than ${maxMemberBytes} bytes.`);
      }
      pieces?.push(this.#chunk.subarray(start, this.#at));
      if (ended) return;
      if (!(await this.#fill())) {
        if (scan.depth === 0 && !scan.quoted) return;
        throw this.#fault(scan.quoted ? 'a closing quote' : 'a closing bracket');
      }
    }
  }

  /** Move through the chunk until the value or the chunk ends; whether the value did. */
  #advance(scan: ValueScan): boolean {
    const chunk = this.#chunk;
    for (let i = this.#at; i < chunk.length; i++) {
      const byte = chunk[i] ?? 0;
      if (byte === lineFeed) {
        this.#at = i + 1;
        this.#newLine();
      }
      const ends = scan.take(byte);
      if (ends || scan.depth > maxJsonDepth) {
        // A list or text ends with its last byte, a scalar before the byte that ends it.
        this.#at = ends === 'with' ? i + 1 : i;
        return true;
      }
    }
    this.#at = chunk.length;
    return false;
  }

  #newLine(): void {
    this.#line++;
    this.#lineStart = this.#at;
  }

  async #fill(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done) return false;
    this.#lineStart -= this.#chunk.length;
    this.#chunk = value;
    this.#at = 0;
    return true;
  }

  #place(): FilePlace {
    return { file: this.#file, line: this.#line, column: this.#at - this.#lineStart + 1 };
  }

  #fault(wanted: string) {
    const byte = this.#chunk[this.#at];
    const found = byte === undefined ? 'the end' : JSON.stringify(String.fromCharCode(byte));
    return badLine(this.#place(), `is not JSON: expected ${wanted}, found ${found}.`);
  }
}

/** How far a value has been scanned. */
class ValueScan {
  depth = 0;
  quoted = false;
  #escaped = false;

  /** Take one more byte; whether it ends the value, by being its last or by being past it. */
  take(byte: number): 'with' | 'before' | undefined {
    if (this.quoted) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quote) {
        this.quoted = false;
        return this.depth === 0 ? 'with' : undefined;
      }
      return undefined;
    }
    if (byte === quote) this.quoted = true;
    else if (byte === openBrace || byte === openBracket) this.depth++;
    else if (byte === closeBrace || byte === closeBracket) {
      if (this.depth === 0) return 'before';
      this.depth--;
      return this.depth === 0 ? 'with' : undefined;
    } else if (this.depth === 0 && (byte === comma || byte <= 0x20)) return 'before';
    return undefined;
  }
}

function startsValue(byte: number): boolean {
  return (
    byte !== -1 && byte !== comma && byte !== colon && byte !== closeBrace && byte !== closeBracket
  );
}
