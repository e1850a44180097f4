// What a source says when it says no. Its own words may hold rows: they are for those alone who may write SQL for it,
// without values, and are never stored. Everybody else reads a sentence of ours and the source's code.

import { CatalogError } from '../../errors.ts';

/** A source's refusal. Its message holds nothing that the source said but a code. */
export class SourceError extends CatalogError {
  /** What the source said, without the values in it. */
  readonly said: string;

  constructor(message: string, said: string) {
    super('BAD_REQUEST', message);
    this.name = 'SourceError';
    this.said = said;
  }
}

/** What an error is to say to those who may write SQL for the source. */
export function wholeMessage(message: string, said: string | null | undefined): string {
  return said ? `${message} It said: ${said}` : message;
}

/** What a source said beyond an error's message; undefined for any other error. */
export function saidBy(error: unknown): string | undefined {
  return error instanceof SourceError ? error.said : undefined;
}

/**
 * The refusal of a statement.
 *
 * @param said - the driver's words
 * @param code - a SQLSTATE, or what the source calls the error
 * @param sql - the statement, whose words are its writer's own
 */
export function refusalOf(said: string, code: string, sql: string): SourceError {
  const meaning = meanings.find(([pattern]) => pattern.test(code));
  return new SourceError(
    `The source refused: ${meaning?.[1] ?? 'it could not be run'} (${code}).`,
    // What else goes wrong than names, rights and grammar does so over a value, which need not be in quotes.
    meaning && meaning[1] !== misfit ? withoutValues(said, sql) : '',
  );
}

const misfit = 'a value does not fit what is asked of it, such as a text that is to be a number';

/** What a code means, the first that fits: SQLSTATE (PostgreSQL, MySQL), then names of DuckDB, ClickHouse and Trino. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [
    /^(42P01|42S02|UNKNOWN_TABLE|TABLE_NOT_FOUND|Code: 60)$/,
    'it names a table that does not exist',
  ],
  [
    /^(42703|42S22|UNKNOWN_IDENTIFIER|COLUMN_NOT_FOUND|Code: 47)$/,
    'it names a column that does not exist',
  ],
  [
    /^(42883|UNKNOWN_FUNCTION|FUNCTION_NOT_FOUND|Code: 46)$/,
    'it names a function that does not exist',
  ],
  [
    /^(3D000|3F000|UNKNOWN_DATABASE|SCHEMA_NOT_FOUND|CATALOG_NOT_FOUND|Code: 81)$/,
    'it names a place that does not exist',
  ],
  [/^Catalog$/, 'it names something that does not exist, or changes something'],
  [
    /^(42501|ACCESS_DENIED|PERMISSION_DENIED|Permission|Code: 497)$/,
    'the login has no permission for that',
  ],
  [/^(28|AUTHENTICATION_FAILED|Code: (?:516|192|193)$)/, 'the login is not accepted'],
  [/^(42601|SYNTAX_ERROR|Parser|Code: 62)$/, 'the source cannot read it as a statement'],
  [/^(25006|READONLY|Code: 164)$/, 'it would change something, and is only to read'],
  [
    /^(42804|TYPE_MISMATCH|ILLEGAL_TYPE_OF_ARGUMENT|Binder|Mismatch Type)$/,
    'its names or types do not fit together',
  ],
  [/^(22|CANNOT_PARSE|INVALID_CAST|INVALID_FUNCTION|DIVISION_BY_ZERO|NUMERIC_VALUE)/, misfit],
  [/^(Conversion|Out of Range|Invalid Input)$/, misfit],
  [/^(53|54|MEMORY_LIMIT|EXCEEDED|Out of Memory)/, 'it needs more than the source has for it'],
  [/^(0A000|not[_ ](implemented|supported))$/i, 'the source cannot do that'],
  [/^57014$/, 'it was cancelled at the source'],
  [/^42/, 'it cannot be run as written, or the login has no permission'],
  [/^23|^Constraint$/, 'it would break a rule of the source'],
];

const longest = 1_000;
const quoted = /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?|“[^”]*”?|«[^»]*»?|\[[^\]]*\]?/g;
const number = /\d[\d.,:eE+-]{3,}/g;

/** A text without what stands in quotes or brackets, and longer numbers, unless the statement has them. */
export function withoutValues(said: string, sql: string): string {
  const own = sql.toLowerCase();
  const keep = (found: string) => {
    const inner = found.replace(/^['"`“«[]|['"`”»\]]$/g, '');
    return inner !== '' && own.includes(inner.toLowerCase()) ? found : '…';
  };
  // What follows in lines of its own is the place in the statement, or rows.
  const [first = ''] = said.split(/\n|\bDETAIL:|\bCONTEXT:/);
  return first.replaceAll(quoted, keep).replaceAll(number, keep).trim().slice(0, longest);
}
