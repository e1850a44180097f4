// Words that stop a reader of English: none stands in the documentation, in messages or in comments.

import { expect, test } from 'vitest';
import { filesMatching } from './sources.ts';

/** Each word, and what to say instead. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\bwhoever\b/i, 'the person, client or process that ...'],
  [/\bnobody\b/i, 'no one, not, or the passive'],
  [/\banew\b/i, 'again, or new'],
  [/\bmeanwhile\b/i, 'at the same time, since, or nothing'],
  [/\bbeside\b/i, 'next to, besides, in addition to, or during'],
  [/\bbe it\b/i, 'whether, or a list'],
  [/\bin charge of\b/i, 'the thing itself, as a noun'],
];

/** Folders whose comments still have such words; a folder that is clean is struck from the list. `.` is for files in none. */
const notYet: Readonly<Record<string, string>> = {
  bench: '. lineage search',
  gates: '. beside edits interrupted kills rolling slow-sockets',
  prisma: '.',
  scripts: '.',
  src:
    '. agents audit auth commands database demo explorer graphql http integrations jobs ' +
    'limits lineage lists metrics monitors network notifications people properties ' +
    'resources rest reviews secrets sign-in site tags teams tracing',
  test:
    '. audit auth database demo deploy explorer gates graphql house http integrations ' +
    'limits lineage metrics monitors notifications people resources rest roles secrets ' +
    'sign-in',
};

function isRead(path: string): boolean {
  const [top = '', ...rest] = path.split('/').slice(0, -1);
  return !notYet[top]?.split(' ').includes(rest[0] ?? '.');
}

/** What is wrong with a text, as `file: the words around the word`. */
function found(path: string, text: string): string[] {
  return words.flatMap(([word, better]) =>
    [...text.matchAll(new RegExp(`[^\\n]{0,40}${word.source}[^\\n]{0,20}`, 'gi'))].map(
      ([around]) => `${path}: "${around.trim()}" (say ${better})`,
    ),
  );
}

/** The sentences within quotes: names of keys, classes and files are single words. */
function messagesOf(code: string): string {
  const literal = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
  const quoted = withoutComments(code).match(literal) ?? [];
  const sentences = quoted.filter((text) => text.includes(' '));
  return sentences.map((text) => text.replaceAll(/\$\{[^}]*\}/g, '…')).join('\n');
}

const comment = /^\s*(?:\/\/|\/\*|\*|#).*$/gm;

function withoutComments(code: string): string {
  return code.replaceAll(comment, '');
}

function commentsOf(code: string): string {
  const trailing = code.matchAll(/\S +(?:\/\/ .*|\/\*.*\*\/)$/gm);
  return [...code.matchAll(comment), ...trailing].map(([line]) => line).join('\n');
}

test('the documentation has none', () => {
  const pages = filesMatching(
    /^(README|CONTRIBUTING|CHANGELOG|SECURITY|CODE_OF_CONDUCT|docs\/.*)\.md$/,
  );
  const prose = (text: string) => text.replaceAll(/```.*?```/gs, '').replaceAll(/`[^`\n]*`/g, '');
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.flatMap(({ path, text }) => found(path, prose(text)))).toEqual([]);
});

test('messages, words of pages and descriptions of the schema have none', () => {
  const sources = filesMatching(/^src\/(?!generated\/|explorer\/generated\/).*\.tsx?$/);
  expect(sources.flatMap(({ path, text }) => found(path, messagesOf(text)))).toEqual([]);
  const [schema] = filesMatching(/^schema\.graphql$/);
  expect(found('schema.graphql', schema?.text ?? 'nobody')).toEqual([]);
});

test('comments have none, but in folders that are still to be read through', () => {
  const sources = filesMatching(
    /^(?:src|test|bench|gates|scripts|prisma)\/.*\.(?:tsx?|m[jt]s|css|graphql|prisma|sh)$/,
  ).filter(({ path }) => !/^src\/(?:explorer\/)?generated\//.test(path));
  const read = sources.filter(({ path }) => isRead(path));
  expect(read.flatMap(({ path, text }) => found(path, commentsOf(text)))).toEqual([]);
});

test('a word is found in comments of all kinds and in messages, and not in names', () => {
  const code = "// Anew.\nconst nobody = 'beside';\nthrow invalid('Sent by nobody.'); // meanwhile";
  expect(found('x', commentsOf(code))).toHaveLength(2);
  expect(found('x', messagesOf(code))).toHaveLength(1);
});
