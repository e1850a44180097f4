// What people read: labels are noun phrases, sentences have a subject that is named, and things have their own names.

import { expect, test } from 'vitest';
import { filesMatching } from '../../house/sources.ts';

const literal = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const comment = /^\s*(?:\/\/|\/\*|\*).*$/gm;

/** A text of a file, without its quotes; what is filled in is an ellipsis. */
interface Text {
  readonly path: string;
  readonly text: string;
}

function textsOf(pattern: RegExp): Text[] {
  return filesMatching(pattern).flatMap(({ path, text }) =>
    (text.replaceAll(comment, '').match(literal) ?? []).map((quoted) => ({
      path,
      text: quoted.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, '…'),
    })),
  );
}

/** Sentences without a subject that a reader knows, and permission said as possibility. */
const vague =
  /\b(?:Nobody|Somebody|nobody|somebody|Anybody|It (?:is|was|has)|What (?:it|is|was|would)|may not|Really\?|this minute)\b/;

/** Descriptions of the schema and of tools: those who write programs read them. */
const ofPrograms = [
  ...['schema.ts', '-schema.ts', 'src/graphql/where.ts', 'src/resources/lists/coverage.ts'],
  ...['src/jobs/happening.ts', 'src/integrations/imports/listed.ts', 'src/audit/reading-marks.ts'],
  ...['src/agents/mcp/catalog-tools.ts', 'src/agents/mcp/write-tools.ts'],
];

/** Messages of what must never happen: no one but a developer reads them. */
const ofFaults = [
  'What was locked was found.',
  'What is referred to is not known.',
  'What is said of a field of a body has no variables.',
  'It is not an object.',
  'The state … may not follow ….',
];

/** Names that are written with underscores by those who gave them, and a value of the schema in a type. */
const ownNames = /\b(?:run_results\.json|tmp_\*|false_positive$)/g;

const words = textsOf(/^src\/explorer\/words(?:\.ts|\/(?!names\/sql-name\.ts).*\.ts)$/);

const said = (texts: readonly Text[], isWrong: (text: string) => boolean) =>
  texts.filter(({ text }) => isWrong(text)).map(({ path, text }) => `${path}: ${text}`);

test('words of the explorer name what they are about', () => {
  expect(words.length).toBeGreaterThan(500);
  expect(said(words, (text) => vague.test(text))).toEqual([]);
});

test('messages of the server name what they are about', () => {
  const messages = textsOf(/^src\/(?!explorer\/|demo\/|generated\/).*\.ts$/).filter(
    ({ path, text }) =>
      text.includes(' ') &&
      !ofPrograms.some((end) => path.endsWith(end)) &&
      !ofFaults.includes(text),
  );
  expect(messages.length).toBeGreaterThan(1_000);
  expect(said(messages, (text) => vague.test(text))).toEqual([]);
});

test('each exception still stands in a file', () => {
  const all = new Set(textsOf(/^src\/(?!explorer\/|generated\/).*\.ts$/).map(({ text }) => text));
  expect(ofFaults.filter((text) => !all.has(text))).toEqual([]);
  const paths = filesMatching(/^src\/(?!explorer\/|generated\/).*\.ts$/).map(({ path }) => path);
  expect(ofPrograms.filter((end) => !paths.some((path) => path.endsWith(end)))).toEqual([]);
});

test('"may" is of what is possible, "can" of what is allowed', () => {
  expect(said(words, (text) => /\bmay\b(?! (?:also )?(?:be|have)\b)/i.test(text))).toEqual([]);
});

test('a label has no full stop, and an empty state is one: "No tags yet"', () => {
  // Next to other sentences, in a summary and above a search, it is one of them.
  const isLabel = (text: string) =>
    (text.split(' ').length < 3 && !/n’t\b/.test(text)) ||
    /^No (?!results|downstream resources\.$)/.test(text);
  const ends = (text: string) => /^[^.]*[^.…\s]\.$/.test(text);
  expect(said(words, (text) => ends(text) && isLabel(text))).toEqual([]);
});

test('no identifier and no product in lower case stands for its name', () => {
  const identifier =
    /[a-z]_[a-z]|\b(?:postgres|postgresql|mysql|tsql|graphql|github|openlineage)\b/;
  expect(said(words, (text) => identifier.test(text.replaceAll(ownNames, '')))).toEqual([]);
});

test('the rules find what they are for', () => {
  expect(vague.test('Nobody owns it.')).toBe(true);
  expect(vague.test('Your role may not do this.')).toBe(true);
  expect(vague.test('No owner')).toBe(false);
});
