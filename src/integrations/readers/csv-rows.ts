// The rows of a CSV file, whatever separates its fields.

import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { badLine } from './place.ts';
import { type FileSource, headOf, plainBytes } from './source.ts';

/** Text of one row, in characters; a stray quote would else swallow the rest of the file. */
const maxRowLength = 1_000_000;

/** One row of a file. */
interface ReadRow {
  values: readonly string[];
  /** Line on which the row starts: a quoted field may hold line breaks. */
  line: number;
}

/**
 * The rows of a CSV file with their fields, the header included. Fields are separated by what separates those of the
 * header, or what a first line such as `sep=;` says. Throws BAD_REQUEST naming the line of what cannot be read.
 */
export async function* readRows(source: FileSource, maxBytes: number): AsyncGenerator<ReadRow> {
  const { head, whole } = await headOf(plainBytes(source, maxBytes), hasHeader);
  const separator = separatorOf(source.file, head.toString('utf8'));
  const input = Readable.from(utf8Only(source.file, whole));
  let next = 1;
  const parser = parse({
    bom: true,
    delimiter: separator.delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: maxRowLength,
    // Called as rows are parsed: those that were not read yet are lost when a later one is broken.
    on_record: (record: string[], { lines }) => {
      next = lines + 1;
      return record;
    },
  });
  input.once('error', (error) => parser.destroy(error));
  try {
    const records: AsyncIterable<{ record: string[]; info: Info }> = input.pipe(parser);
    let toSkip = separator.isSaid ? 1 : 0;
    for await (const { record, info } of records) {
      if (toSkip-- > 0) continue;
      const breaks = record.reduce((sum, value) => sum + value.split('\n').length - 1, 0);
      yield { values: record, line: info.lines - breaks };
    }
  } catch (error) {
    throw error instanceof CsvError ? explain(source.file, next, error) : error;
  } finally {
    input.destroy();
  }
}

/** `next` is the line on which the row started that could not be read. */
function explain(file: string, next: number, error: CsvError) {
  const line = typeof error.lines === 'number' ? error.lines : next;
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return badLine({ file, line: next }, 'opens a quote that is never closed.');
    case 'CSV_INVALID_CLOSING_QUOTE':
      return badLine(
        { file, line },
        'goes on after a closing quote; a quote inside a quoted field is written twice.',
      );
    case 'INVALID_OPENING_QUOTE':
      return badLine(
        { file, line },
        'has a quote inside a field that does not start with one; quote the whole field.',
      );
    case 'CSV_MAX_RECORD_SIZE':
      return badLine(
        { file, line: next },
        `is longer than ${maxRowLength} characters, the most a row may have.`,
      );
    default:
      return badLine({ file, line }, `cannot be read: ${error.message}.`);
  }
}

async function* utf8Only(file: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let line = 1;
  const refuse = (chunk: Buffer = Buffer.alloc(0)) => {
    const [before = ''] = chunk.toString('utf8').split('\uFFFD');
    line += before.split('\n').length - 1;
    return badLine(
      { file, line },
      'this line, or one soon after it, is not UTF-8: save the file as UTF-8.',
    );
  };
  for await (const chunk of bytes) {
    const text = decoded(() => decoder.decode(chunk, { stream: true }));
    if (text === undefined) throw refuse(chunk);
    yield text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) line++;
  }
  if (decoded(() => decoder.decode()) === undefined) throw refuse();
}

function decoded(decode: () => string): string | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

/** Bytes in which a header has to end. */
const maxHead = 64 * 1024;

/** Whether the beginning of a file holds a line with something in it, and the line after a `sep=`. */
function hasHeader(head: Buffer): boolean {
  return head.length >= maxHead || linesIn(head.toString('utf8')).length > 2;
}

const linesIn = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '');

/** What separates the fields of a file that begins so. */
function separatorOf(file: string, head: string): { delimiter: string; isSaid: boolean } {
  const [first = ''] = linesIn(head);
  const [, said] = /^"?sep=(.*?)"?$/i.exec(first.trimStart()) ?? [];
  // A tab at the end of the line may be what is said.
  const delimiter = said ?? /[,;\t|]/.exec(first)?.[0] ?? ',';
  if (separators.includes(delimiter)) return { delimiter, isSaid: said !== undefined };
  throw badLine({ file, line: 1 }, 'sep= must say a comma, a semicolon, a tab or a vertical bar.');
}

const separators: readonly string[] = [',', ';', '\t', '|'];
