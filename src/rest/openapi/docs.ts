// The page that shows the OpenAPI document, from files of our own: it needs no network.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { notFound } from '../../errors.ts';
import { stylingHeaders } from '../../http/strict-headers.ts';

/** The files that the page is made of, by the name below `/docs/`. */
const files = new Map([
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
]);

/** The page itself. `base` is where the API is; the document is at `openapi.json` below it. */
export function docsPage(base: string, title: string): Response {
  const assets = `${base}/docs`;
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${asText(title)}</title>
    <link rel="stylesheet" href="${assets}/swagger-ui.css">
    <link rel="icon" href="${assets}/favicon-32x32.png">
  </head>
  <body>
    <nav aria-label="Headwater" style="display: flex; gap: 16px; padding: 12px 20px; font: 14px sans-serif">
      <a href="/">Explorer</a>
      <a href="/docs/api">Documentation</a>
      <a href="/graphql">GraphiQL</a>
    </nav>
    <div id="ui"></div>
    <script src="${assets}/swagger-ui-bundle.js"></script>
    <script src="${assets}/start.js"></script>
  </body>
</html>
`;
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      ...stylingHeaders,
    },
  });
}

/** A file of the page by its name; throws NOT_FOUND for any other. */
export async function docsFile(base: string, name: string): Promise<Response> {
  if (name === 'start.js') return asset(startScript(base), 'text/javascript; charset=utf-8');
  const type = files.get(name);
  if (!type) throw notFound('File');
  return asset(await compressed(name), type, { 'content-encoding': 'gzip' });
}

// A script of its own, because the page's policy allows none inside of it.
function startScript(base: string): string {
  const options = {
    url: `${base}/openapi.json`,
    dom_id: '#ui',
    deepLinking: true,
    // The list is made as one scrolls, so that the browser's own search finds little.
    filter: true,
    persistAuthorization: true,
    displayRequestDuration: true,
    // The default asks a validator on the network.
    validatorUrl: null,
  };
  return `window.ui = SwaggerUIBundle(${JSON.stringify(options)});\n`;
}

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const cache = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** The file, compressed once: the largest has 1.5 MB. Every browser takes gzip. */
function compressed(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const known =
    cache.get(name) ??
    readFile(join(folder, name)).then((bytes) => new Uint8Array(gzipSync(bytes)));
  cache.set(name, known);
  return known;
}

function asset(body: BodyInit, type: string, headers: Record<string, string> = {}): Response {
  return new Response(body, {
    headers: { 'content-type': type, 'cache-control': 'public, max-age=3600', ...headers },
  });
}

function asText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
