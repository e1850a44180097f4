// GraphiQL: the page on which people explore the schema, made of our own files alone.

import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { openThread } from '../../process/thread.ts';
import { type PageFile, packedPageFile, pageFile, type SiteFile } from '../../site/file.ts';
import type { GraphiQLParts } from './thread.ts';

/** Where the page's files are served. */
export const graphiqlPrefix = '/graphiql/';
const folder = new URL('./', import.meta.url);
const ownFiles = ['page.css', 'page.js', 'fetcher.js', 'tabs.js', 'curl.js'];

/** Whether a browser asks for the page at `/graphql`, and no client for an answer. */
export function wantsGraphiql({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html');
}

/** The page. */
export async function graphiqlPage(): Promise<SiteFile> {
  return { file: await page(), keeping: 'ask', makesStyles: true };
}

/** One of the page's files by its name; undefined where there is none. */
export async function graphiqlFile(name: string): Promise<SiteFile | undefined> {
  const own = (await files()).get(name);
  if (own) return { file: own, keeping: 'ask' };
  if (!name.startsWith(`${version}/`)) return undefined;
  const part = (await library()).get(name);
  return part && { file: part, keeping: 'keep' };
}

/** One example: a tab of the page for whom it is new. */
export interface Example {
  readonly name: string;
  readonly query: string;
}

/** The examples in the order of their tabs. */
export async function readExamples(): Promise<Example[]> {
  const examples = new URL('./examples/', folder);
  const names = (await readdir(examples)).filter((name) => name.endsWith('.graphql')).sort();
  return Promise.all(
    names.map(async (name) => ({ name, query: await readFile(new URL(name, examples), 'utf8') })),
  );
}

// The library's files change with its version alone, which is part of their addresses.
const { version } = createRequire(import.meta.url)('@graphql-yoga/render-graphiql/package.json');

const page = kept(async () => {
  const html = await readFile(new URL('page.html', folder), 'utf8');
  return pageFile('page.html', html.replaceAll('{version}', version));
});

const files = kept(async () => {
  const own = await Promise.all(
    ownFiles.map(
      async (name) => [name, pageFile(name, await readFile(new URL(name, folder)))] as const,
    ),
  );
  const examples = JSON.stringify(await readExamples());
  return new Map<string, PageFile>([
    ...own,
    ['examples.json', pageFile('examples.json', examples)],
  ]);
});

const library = kept(async () => {
  const thread = openThread(new URL('./thread.ts', import.meta.url));
  const [parts]: GraphiQLParts[] = await once(thread, 'message');
  return new Map(
    Object.entries(parts ?? {}).map(([name, bytes]) => [
      `${version}/${name}`,
      packedPageFile(name, bytes),
    ]),
  );
});

/** Make something when it is first asked for, and keep it; a failure is not kept. */
function kept<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
