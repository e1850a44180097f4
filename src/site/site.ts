// What people get in a browser besides the REST documentation: which page is where.

import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  explorerFile,
  explorerPage,
  explorerPrefix,
  wantsExplorer,
} from '../graphql/explorer/explorer.ts';
import { type Kept, pageFile, sendPageFile } from './file.ts';

const prefix = '/site/';
const ownFiles = ['welcome.css', 'welcome.js', 'logo.svg'];

/** Whether the site answers a request: it is for the first page, for GraphiQL or for their files. */
export function isForSite(request: IncomingMessage, path: string): boolean {
  if (path === '/graphql' || path === '/graphql/') return wantsExplorer(request);
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  return path === '/' || path.startsWith(prefix) || path.startsWith(explorerPrefix);
}

/** Answer a request that is for the site: with 404 where its path has no file. */
export async function sendSite(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const kept = await fileAt(path);
  if (kept) return sendPageFile(request, response, kept);
  response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
  response.end('There is no such page.\n');
}

async function fileAt(path: string): Promise<Kept | undefined> {
  if (path === '/') return { file: await read('welcome.html'), keeping: 'ask' };
  if (path.startsWith('/graphql')) return explorerPage();
  if (path.startsWith(explorerPrefix)) return explorerFile(path.slice(explorerPrefix.length));
  const name = path.slice(prefix.length);
  return ownFiles.includes(name) ? { file: await read(name), keeping: 'ask' } : undefined;
}

async function read(name: string) {
  return pageFile(name, await readFile(new URL(name, import.meta.url)));
}
