// The words that a recording may keep: those that the code of the connector itself consists of, and those of SQL.

import { readdirSync, readFileSync } from 'node:fs';

const sources = new URL('../../src/integrations/', import.meta.url);
const shared = [
  ...['http-sources/http-api.ts', 'http-sources/service-account-token.ts'],
  ...['connectors/dashboards.ts', 'connectors/catalog.ts'],
];

/** What names stand between in SQL; none is kept within quotes. */
const sqlWords =
  'select from where group by order having limit offset as and or not null is in like between case when then else end ' +
  'join left right inner outer full cross lateral on using union all distinct except intersect with recursive over ' +
  'partition create or replace view table insert into values update delete merge matched set cast coalesce sum count ' +
  'avg min max row_number rank date_trunc true false asc desc exists any';
const types =
  'array bigint binary bool boolean byte char date datetime decimal double float float64 geography integer int int64 ' +
  'interval json long map number numeric object real short smallint string struct text time timestamp timestamp_ltz ' +
  'timestamp_ntz timestamp_tz tinyint varbinary varchar variant';

/** What may be kept, in small letters. */
export interface Vocabulary {
  /** Names of fields: any word of the code. */
  readonly fields: ReadonlySet<string>;
  /** Whole values, and parts of paths: words of what the code quotes. */
  readonly words: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
}

/** The vocabulary of a connector, by its type. */
export function vocabularyOf(type: string): Vocabulary {
  const folder = `connectors/${type}/`;
  // What a manifest says is for people.
  const own = readdirSync(new URL(folder, sources)).filter((name) => name !== 'manifest.ts');
  const files = [...own.map((name) => folder + name), ...shared];
  const code = files.map((file) => withoutComments(readFileSync(new URL(file, sources), 'utf8')));
  const typeWords = new Set(types.split(' '));
  const answers = ['yes', 'no', 'y', 'n', 'true', 'false', 'null'];
  const fields = new Set(code.flatMap(wordsIn));
  const words = new Set([
    ...code.flatMap(quotedIn),
    ...sqlWords.split(' '),
    ...typeWords,
    ...answers,
  ]);
  return { fields, words, types: typeWords };
}

const wordsIn = (text: string) =>
  text.toLowerCase().match(/[\p{L}_$][\p{L}\p{N}_$-]*|\d+(?:\.\d+)+/gu) ?? [];

/** The words of quoted names, paths and SQL. A message is prose, and left out like a comment. */
function quotedIn(code: string): string[] {
  const plain = code.replaceAll(/\$\{[^{}]*\}/g, ' * ').replaceAll(' * ', '*');
  const quoted = plain.match(/'[^'\n]*'|`[^`]*`/g) ?? [];
  return quoted.filter((one) => !/\s/.test(one) || /\bselect\b/i.test(one)).flatMap(wordsIn);
}

/** Comments are prose: a name may well be one of its words. */
function withoutComments(code: string): string {
  return code.replaceAll(/\/\*[\s\S]*?\*\//g, ' ').replaceAll(/(^|\s)\/\/.*$/gm, ' ');
}
