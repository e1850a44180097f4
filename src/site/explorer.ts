// Serving the explorer: its page at every address that no other part answers, and its files.

import type { IncomingMessage } from 'node:http';
import { type PageFile, pageFile, readIfThere, type SiteFile } from './file.ts';

/** Where the files that the page names are served. */
export const assetsPrefix = '/assets/';

/** What scripts/explorer.mjs built; next to the sources and next to the program alike. */
const built = new URL('../../dist/explorer/', import.meta.url);

/** Where other parts answer; a browser that goes astray there is told so by them. */
const others =
  /^\/(?:graphql|graphiql|api|mcp|docs|site|sign-in|sign-out|healthz|readyz|metrics)(?:\/|$)/;

/** Whether a browser asks for a page of the explorer, by whatever address its view has. */
export function wantsExplorer({ headers }: IncomingMessage, path: string): boolean {
  if (path === '/') return true;
  return (headers.accept ?? '').includes('text/html') && !others.test(path);
}

/** The page of the explorer; undefined where it was not built. */
export async function explorerPage(): Promise<SiteFile | undefined> {
  const text = await readIfThere(new URL('index.html', built));
  return text && { file: pageFile('index.html', text), keeping: 'ask' };
}

/** One of the files that the page names; undefined where there is none. */
export async function explorerFile(name: string): Promise<SiteFile | undefined> {
  const file = packed.get(name) ?? (await packFile(name));
  return file && { file, keeping: 'keep' };
}

/** Files by their names, which change with what is in them. */
const packed = new Map<string, PageFile>();

async function packFile(name: string): Promise<PageFile | undefined> {
  // Of one folder alone: no name leads out of it.
  if (!/^[\w.-]+\.(?:js|css|map|svg)$/.test(name)) return undefined;
  const text = await readIfThere(new URL(`assets/${name}`, built));
  if (!text) return undefined;
  const file = pageFile(name, text);
  packed.set(name, file);
  return file;
}
