// The documentation at `/docs`: the files of the folder docs, as pages.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { documentationIndex } from './documentation-index.ts';
import { isOfDocs, prefix } from './documentation-path.ts';
import { anchorOf, sectionsOf } from './documentation-text.ts';
import { pageFile, readIfThere, type SiteFile } from './file.ts';

/** Next to the sources and next to the program alike. */
const folder = new URL('../../docs/', import.meta.url);

/** The page or picture at a path; undefined where there is none. */
export async function docsFile(path: string): Promise<SiteFile | undefined> {
  const name = path.slice(prefix.length + 1).replace(/\/$/, '') || 'README';
  // Of the folder alone: no name leads out of it.
  if (!/^[\w-]+(?:\/[\w-]+){0,2}(?:\.schema)?(?:\.(?:md|png|svg|json))?$/.test(name))
    return undefined;
  const known = rendered.get(name);
  if (known) return known;
  const making = fileOf(name);
  rendered.set(name, making);
  // Names that are of no page are not remembered: anybody can think of any number of them.
  const isThere = await making.then(Boolean, () => false);
  if (!isThere) rendered.delete(name);
  return making;
}

/** What all pages are searched by; no file of this name is in the folder. */
const indexName = 'search.json';

/**
 * Pages by their names, or those that are being made, which all who ask in the meantime wait for. What they are made of
 * comes with the program and does not change.
 */
const rendered = new Map<string, Promise<SiteFile | undefined>>();

async function fileOf(name: string): Promise<SiteFile | undefined> {
  if (name === indexName) return documentationIndex(folder);
  if (/\.(?:png|svg|json)$/.test(name)) {
    const content = await readDocs(name);
    return content && { file: pageFile(name, content), keeping: 'ask' };
  }
  const page = name.replace(/\.md$/, '');
  const text = (await readDocs(`${page}.md`)) ?? (await readDocs(`${page}/README.md`));
  if (!text) return undefined;
  const within = page.includes('/') ? page.split('/')[0] : (await isFolder(page)) ? page : '';
  const contents = await readDocs('README.md');
  const nav = contents ? navigationOf(await bodyOf(contents.toString('utf8'), '')) : '';
  const html = pageOf(await bodyOf(text.toString('utf8'), within ?? ''), nav);
  return { file: pageFile('page.html', Buffer.from(html)), keeping: 'ask' };
}

/** The contents as links alone, without anchors, which are those of the page next to them. */
function navigationOf(contents: string): string {
  return contents
    .replaceAll(/ id="[^"]*"/g, '')
    .replaceAll(/(<li><a [^>]*>.*?<\/a>).*?(?=<\/li>)/g, '$1');
}

/** Whether a name is that of a folder whose first page it stands for. */
async function isFolder(name: string): Promise<boolean> {
  return (await readDocs(`${name}.md`)) === undefined;
}

function readDocs(name: string): Promise<Buffer | undefined> {
  return readIfThere(new URL(name, folder));
}

/**
 * Markdown as HTML: headings can be pointed at, and links lead to pages. Long pages cost a second of work, so
 * others are served between two sections.
 */
async function bodyOf(markdown: string, within: string): Promise<string> {
  const parts: string[] = [];
  for (const { markdown: part } of sectionsOf(markdown)) {
    parts.push(sectionOf(part, within));
    await nextTurn();
  }
  return parts.join('\n');
}

function sectionOf(markdown: string, within: string): string {
  return (
    micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
      .replaceAll(/<(h[1-6])>(.*?)<\/h[1-6]>/g, (_, level: string, inner: string) => {
        const anchor = anchorOf(inner.replaceAll(/<[^>]*>|&\w+;/g, ''));
        return `<${level} id="${anchor}">${inner}</${level}>`;
      })
      .replaceAll(/<a href="([^"]*)">(.*?)<\/a>/gs, (_, to: string, inner: string) => {
        const address = addressOf(to, within);
        return address === null ? inner : `<a href="${address}">${inner}</a>`;
      })
      .replaceAll(/<img src="([^":]*)"/g, (_, to: string) => `<img src="${placeOf(to, within)}"`)
      // What is wider than the window is moved by keys as well.
      .replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">')
  );
}

/** Where what a page names lies, as seen from its folder. */
function placeOf(to: string, within: string): string {
  return new URL(to, `http://docs${prefix}/${within ? `${within}/` : ''}`).pathname;
}

/** The address of what a page links to; null for files that are not part of the documentation. */
function addressOf(to: string, within: string): string | null {
  if (/^(?:https?:|#|\/)/.test(to)) return to;
  const base = `http://docs${prefix}/${within ? `${within}/` : ''}`;
  const { host, pathname, hash } = new URL(to, base);
  if (host !== 'docs' || !isOfDocs(pathname) || to.startsWith('../'.repeat(within ? 2 : 1))) {
    return null;
  }
  return pathname.replace(/\/README\.md$/, '').replace(/\.md$/, '') + hash;
}

function pageOf(body: string, nav: string): string {
  const title =
    /<h1[^>]*>(.*?)<\/h1>/.exec(body)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? 'Documentation';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Headwater</title>
<link rel="icon" href="/site/logo.svg">
<link rel="stylesheet" href="/site/docs.css">
<script type="module" src="/site/docs.js"></script>
</head>
<body>
<div class="side">
<header class="brand">
<a href="/"><img src="/site/logo.svg" alt="" width="24" height="24">Headwater</a>
<a class="to-pages" href="#all-pages">All pages</a>
</header>
<search hidden>
<input id="search" type="search" placeholder="Search (press /)" aria-label="Search the documentation"
  aria-describedby="found-count" autocomplete="off" spellcheck="false">
<p id="found-count" role="status"></p>
<ol id="found"></ol>
</search>
<nav id="all-pages" aria-label="Pages">${nav}</nav>
</div>
<main>${body}</main>
</body>
</html>
`;
}
