// Markdown that people wrote: nothing in it runs, and nothing is loaded for it.

import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { useLayoutEffect, useRef } from 'react';

/** The text as it is meant to be read. */
export function Markdown({ text }: { text: string }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(...nodesOf(text));
  }, [text]);
  return <div className="markdown" ref={place} />;
}

/**
 * The nodes of a text. HTML in it comes out as text, and links of other schemes come out empty: both by the
 * parser's defaults. It is put together in a document that runs and loads nothing.
 */
function nodesOf(text: string): ChildNode[] {
  const html = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const image of body.querySelectorAll('img')) {
    // The page's policy loads no picture of another host: a link says where it is.
    const link = document.createElement('a');
    link.href = image.src;
    link.textContent = image.alt || image.src;
    image.replaceWith(link);
  }
  for (const heading of body.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    // Below the heading of the page, and that of the part of it.
    const level = Math.min(6, Number(heading.tagName.slice(1)) + 2);
    const lower = document.createElement(`h${level}`);
    lower.append(...heading.childNodes);
    heading.replaceWith(lower);
  }
  for (const link of body.querySelectorAll('a')) {
    if (link.origin === location.origin) continue;
    link.rel = 'noopener noreferrer';
    link.target = '_blank';
  }
  for (const table of body.querySelectorAll('table, pre')) table.setAttribute('tabindex', '0');
  return [...body.childNodes];
}
