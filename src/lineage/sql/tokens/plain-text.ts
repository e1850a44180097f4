// Blanks out what clients and pipelines write around SQL, with every other character at its place.
import type { Dialect } from '../dialect.ts';

/** The text without words that are none of SQL's, as far as the dialect has any. */
export function plainText(sql: string, dialect: Dialect): string {
  if (dialect.parser === 'mysql') return withoutDelimiters(sql);
  if (dialect.name === 'tsql')
    return sql.replace(CLIENT_LINE, blankedLine).replace(TO_FILL, filled);
  if (dialect.parser === 'postgresql') return withoutPsql(sql);
  if (dialect.name === 'teradata') return sql.replace(CAST, blanked);
  return dialect.name === 'databricks' ? withoutStreams(sql) : sql;
}

/** What sqlcmd reads itself, as `:setvar DatabaseName "sales"`. */
const CLIENT_LINE = /^[ \t]*:(?:setvar|r|connect|on error|out|error|list|reset|quit|exit)\b.*$/gim;

function blankedLine(line: string): string {
  return line.replace(/\S/g, ' ');
}

/** A parameter that Management Studio's templates leave to be filled: `<schema_name, sysname, dbo>`. */
const TO_FILL = /<\s*([A-Za-z][\w ]*?)\s*,\s*[\w() ,]*?\s*,\s*([^<>,\n]*?)\s*>/g;

/** What it would be without being filled, on as many characters. */
function filled(all: string, name: string, value: string): string {
  const text = value === '' ? name.replace(/\W/g, '_') : value;
  return text.length <= all.length ? text.padEnd(all.length) : all;
}

/** What psql reads itself: rows behind COPY, and lines with a backslash, of which those that send a query end it. */
function withoutPsql(sql: string): string {
  const plain = sql.replace(VARIABLE, ' ');
  if (!sql.includes('\\')) return plain;
  return plain
    .replace(ROWS_OF_COPY, (_all, head: string, rows: string) => head + blankedLine(rows))
    .replace(PSQL_LINE, blankedLine)
    .replace(COPY_LINE, (_all, before: string, line: string, end: string) => {
      return `${before} ${line}${end === '' ? '' : ';'}`;
    })
    .replace(SENT, (all) => `;${blankedLine(all.slice(1))}`);
}

/** `:'day'` is a variable as a text. */
const VARIABLE = /(?<![:\w\])'"]):(?='\w+')/g;
/** `COPY t FROM stdin;` and the lines up to the one that ends them. */
const ROWS_OF_COPY =
  /(^[ \t]*\\?copy\b[^;\\]*?\bfrom\s+stdin\b[^;\\\n]*;?[ \t]*\r?\n)([\s\S]*?^\\\.[ \t]*$)/gim;
/** `\copy` is COPY on one line. */
const COPY_LINE = /^([ \t]*)\\(copy\b[^\n]*?);?[ \t]*\r?(\n|$(?![\s\S]))/gim;
const PSQL_LINE =
  /^[ \t]*\\(?!copy\b|g(?:x|set|exec|desc)?\b|watch\b|crosstabview\b)[a-z?!][^\n]*$/gim;
const SENT = /\\(?:g(?:x|set|exec|desc)?|watch|crosstabview)\b[^\n]*$/gim;

/** Teradata's `amount (DECIMAL(10,2), FORMAT '...')` behind a value, which looks like a call. */
const CAST =
  /([\w)"]\s*)(?<!\binsert\s*)(\(\s*(?:date|integer|int|bigint|smallint|byteint|float|real|(?:time|timestamp|(?:var)?char|decimal|dec|numeric|number)(?:\s*\([\d\s,]*\))?)\s*(?:,\s*(?:format|title|named)\s[^()]*)?\))/gi;

/** Databricks' `FROM STREAM t`, and the schema LIVE, which is that of the pipeline. */
function withoutStreams(sql: string): string {
  return sql.replace(LIVE, blanked).replace(STREAM, blanked);
}

const LIVE = /\b((?:from|join|into|stream)\b[\s(]+)(live\s*\.\s*)(?=[\w`])/gi;
const STREAM =
  /\b((?:from|join)\s+)(stream\s)(?=\s*[\w`])(?!\s*(?:as|where|join|left|right|full|inner|cross|on|group|order|limit|union|having|qualify|lateral|tablesample|pivot|window)\b)/gi;

function blanked(_all: string, kept: string, left: string): string {
  return kept + left.replace(/\S/g, ' ');
}

const LINE = /^[ \t]*delimiter[ \t]+(\S+)[ \t]*$/i;

/** MySQL's client lets statements end otherwise than with `;`, as a line with DELIMITER says. */
function withoutDelimiters(sql: string): string {
  if (!/^[ \t]*delimiter[ \t]/im.test(sql)) return sql;
  let delimiter = ';';
  const lines = sql.split('\n').map((line) => {
    const chosen = LINE.exec(line.replace(/\r$/, ''))?.[1];
    if (chosen !== undefined) {
      delimiter = chosen;
      return ' '.repeat(line.length);
    }
    if (delimiter === ';') return line;
    // Only at the end of a line, for elsewhere it may stand in a text or a comment.
    const end = line.trimEnd();
    if (!end.endsWith(delimiter)) return line;
    return `${end.slice(0, -delimiter.length)};`.padEnd(line.length, ' ');
  });
  return lines.join('\n');
}
