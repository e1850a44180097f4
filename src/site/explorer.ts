// Serving the explorer: its page at every address that no other part answers, and its files.

import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { escapedText } from '../text/html.ts';
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

/**
 * The page of the explorer at an address; undefined where it was not built. It names the files of that address, so that
 * a browser asks for them at once, and the kind of page that a link shows elsewhere. All of that follows from the
 * address alone: a client that asks need not be signed in, and learns nothing of the workspace, not even what there is.
 */
export async function explorerPage(path: string): Promise<SiteFile | undefined> {
  const text = await readIfThere(new URL('index.html', built));
  if (!text) return undefined;
  const page = (await readPages()).find(({ address }) => new RegExp(address).test(path));
  const lines = [
    `<meta property="og:title" content="${escapedText(page?.title ?? 'Headwater')}">`,
    ...(page?.files ?? []).map(
      (name) => `<link rel="modulepreload" href="${assetsPrefix}${name}">`,
    ),
  ];
  const html = text.toString().replace('<!-- page -->', () => lines.join('\n    '));
  return { file: pageFile('index.html', html), keeping: 'ask' };
}

const pagesShape = z.array(
  z.object({ address: z.string(), title: z.string(), files: z.array(z.string()) }),
);

/** The pages that scripts/explorer-pages.mjs found, in the order in which an address is compared with them. */
async function readPages(): Promise<z.infer<typeof pagesShape>> {
  const text = await readIfThere(new URL('pages.json', built));
  return text ? pagesShape.parse(JSON.parse(text.toString())) : [];
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
  const brotli = await readIfThere(new URL(`assets/${name}.br`, built));
  const file = { ...pageFile(name, text), brotli };
  packed.set(name, file);
  return file;
}
