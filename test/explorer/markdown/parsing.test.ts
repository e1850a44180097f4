// Parsing of Markdown in bounds: whatever the text, its reader gets an answer, and the texts after it as well.

import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { htmlOf, mostElements, mostHtml } from '../../../src/explorer/markdown/html.ts';
import { type FromThread, openParsing } from '../../../src/explorer/markdown/parsing.ts';
import { root } from '../../house/sources.ts';

vi.setConfig({ testTimeout: 240_000 });

let code = '';
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'src/explorer/markdown/thread.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    conditions: ['worker'],
  });
  // What a thread of a browser has, from what one of Node has.
  code = `const { parentPort } = require('node:worker_threads');
    globalThis.postMessage = (what) => parentPort.postMessage(what);
    globalThis.addEventListener = (name, call) => parentPort.on(name, (data) => call({ data }));
    ${outputFiles[0]?.text ?? ''}`;
});

/** Parsing in threads of Node, and how many of them were started and ended. */
function openThreads(source = code) {
  const count = { started: 0, ended: 0 };
  const open = new Set<Worker>();
  const parse = openParsing(({ heard, broke }) => {
    count.started += 1;
    const thread = new Worker(source, { eval: true });
    open.add(thread);
    thread.on('message', (what: FromThread) => heard(what));
    thread.on('error', broke);
    return {
      send: (text) => thread.postMessage(text),
      end: () => {
        count.ended += 1;
        open.delete(thread);
        void thread.terminate();
      },
    };
  });
  const { signal } = new AbortController();
  return {
    count,
    parse: (text: string, milliseconds: number) => parse(text, { milliseconds, signal }),
    parseUntil: (text: string, until: AbortSignal) =>
      parse(text, { milliseconds: 60_000, signal: until }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...open].map((thread) => thread.terminate()));
    },
  };
}

/** What Markdown and its tables, links and notes are made of. */
const tokens = [
  ...[']', '[', '![', '](', '[^', '[^a]: x\n', '[a]: b\n', '[a]', '(', ')', '<', '<a ', '<!--'],
  ...['*', '_', '**a', 'a**', '***', '~', '~~a', '`', '``', '\\', '&', '&amp', '"', "'", 'a', ' '],
  ...['>', '> ', '- ', '1. ', '  ', '\t', '#', '---\n', '===\n', '```\n', '\n', '\n\n', '- [ ] '],
  ...['|', '|-', '|a', '|\n|-|\n', 'http://', 'www.', 'a@b.', ':', '\u0000', '\u{1f600}'],
];

test('a search over patterns finds none that keeps its reader, or the next text, without an answer', async () => {
  await using threads = openThreads();
  const patterns = fc.sample(fc.array(fc.constantFrom(...tokens), { minLength: 1, maxLength: 4 }), {
    seed: 20_261_126,
    numRuns: 30,
  });
  // Those that are known to be slow, with the random ones.
  const repeated = [[']'], ['1. '], ['[^'], ...patterns].map((parts) => parts.join(''));
  const late: string[] = [];
  for (const pattern of repeated) {
    for (const length of [500, 5_000, 50_000]) {
      const before = threads.count.ended;
      const text = pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);
      const html = await threads.parse(text, 100);
      if (html !== null) expect(html.length).toBeLessThanOrEqual(mostHtml);
      if (threads.count.ended === before) continue;
      late.push(pattern);
      break;
    }
    // Whatever came before, a plain text is parsed.
    expect(await threads.parse(`*${pattern.length}*`, 60_000)).toBe(
      `<p><em>${pattern.length}</em></p>`,
    );
  }
  // The limit of time is what ends some of them: else the search would show nothing.
  expect(late).toContain(']');
  expect(threads.count).toEqual({ started: late.length + 1, ended: late.length });
});

test('a short text that would become a page of many megabytes is not taken in', () => {
  const references = (length: number) => `[a]: /${'x'.repeat(length)}\n\n${'[a]'.repeat(1_000)}`;
  expect(htmlOf(references(mostHtml / 500))).toBeNull();
  expect(htmlOf(references(1_000))?.length).toBeGreaterThan(500_000);
  // Rows of a table are filled up to its width.
  const wide = (rows: number) => `${'|a'.repeat(600)}\n${'|-'.repeat(600)}\n${'|\n'.repeat(rows)}`;
  expect(htmlOf(wide(mostElements / 600))).toBeNull();
  expect(htmlOf(wide(mostElements / 600 - 10))).not.toBeNull();
  expect(htmlOf('> a')).toBe('<blockquote>\n<p>a</p>\n</blockquote>');
});

test('a text that no one waits for is not parsed', async () => {
  await using threads = openThreads();
  const leaving = new AbortController();
  const slow = threads.parseUntil(']'.repeat(5_000), new AbortController().signal);
  const left = threads.parseUntil('*left*', leaving.signal);
  leaving.abort();
  expect(await left).toBeNull();
  expect(await slow).toContain(']]]');
  expect(threads.count).toEqual({ started: 1, ended: 0 });
});

test('where no thread can be had, each text is shown as it was written', async () => {
  await using threads = openThreads('throw new Error("gone")');
  expect(await Promise.all([threads.parse('a', 60_000), threads.parse('b', 60_000)])).toEqual([
    null,
    null,
  ]);
});
