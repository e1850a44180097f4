// What people get in a browser besides the REST documentation: which page is where.

import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  graphiqlFile,
  graphiqlPage,
  graphiqlPrefix,
  wantsGraphiql,
} from '../graphql/graphiql/graphiql.ts';
import { isOfDocs } from './documentation-path.ts';
import { assetsPrefix, explorerFile, explorerPage, wantsExplorer } from './explorer.ts';
import { pageFile, type SiteFile, sendPageFile } from './file.ts';

const prefix = '/site/';
const ownFiles = ['logo.svg', 'docs.css', 'docs.js', 'notice.css'];
const prefixes = [prefix, assetsPrefix, graphiqlPrefix];

/** Whether the site answers a request: it is for the explorer, for GraphiQL, for their files or for the documentation. */
export function isForSite(request: IncomingMessage, path: string): boolean {
  if (path === '/graphql' || path === '/graphql/') return wantsGraphiql(request);
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (isOfDocs(path) || prefixes.some((start) => path.startsWith(start))) return true;
  return wantsExplorer(request, path);
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

async function fileAt(path: string): Promise<SiteFile | undefined> {
  if (path === '/graphql' || path === '/graphql/') return graphiqlPage();
  if (path.startsWith(graphiqlPrefix)) return graphiqlFile(path.slice(graphiqlPrefix.length));
  if (path.startsWith(assetsPrefix)) return explorerFile(path.slice(assetsPrefix.length));
  if (isOfDocs(path)) return (await import('./documentation.ts')).docsFile(path);
  if (!path.startsWith(prefix)) return explorerPage(path);
  const name = path.slice(prefix.length);
  if (!ownFiles.includes(name)) return undefined;
  return { file: pageFile(name, await readFile(new URL(name, import.meta.url))), keeping: 'ask' };
}
