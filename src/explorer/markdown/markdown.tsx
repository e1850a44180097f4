// Markdown that people wrote: nothing in it runs, nothing is loaded for it, and it can't freeze the page.

import { type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { words } from '../words.ts';
import { imageIdOf, imageOf } from './images.ts';
import { type FromThread, openParsing } from './parsing.ts';

/** Characters of a text that are shown until its reader asks for all of them. */
const mostAtFirst = 50_000;

/** How long parsing may take, at first and where all of a long text was asked for. */
const patience = { atFirst: 3_000, whole: 20_000 };

/** The parsing of the page: all its texts share one thread. */
const parse = openParsing(({ heard, broke }) => {
  const thread = new Worker(markdownThread, { type: 'module' });
  thread.addEventListener('message', ({ data }: MessageEvent<FromThread>) => heard(data));
  thread.addEventListener('error', broke);
  return { send: (text) => thread.postMessage(text), end: () => thread.terminate() };
});

/** The text as it is meant to be read; as it is written where that can't be worked out in time. */
export function Markdown({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > mostAtFirst;
  const shown = isCut ? text.slice(0, mostAtFirst).toWellFormed() : text;
  const html = useHtml(shown, isWhole ? patience.whole : patience.atFirst);
  return (
    <>
      {html === null ? <AsWritten text={shown} /> : <Parsed html={html ?? ''} />}
      {isCut && (
        <p>
          <span className="quiet">{words.markdown.cut(mostAtFirst, text.length)}</span>{' '}
          <button type="button" onClick={() => setWhole(true)}>
            {words.showAll}
          </button>
        </p>
      )}
    </>
  );
}

/** The HTML of the text, or of the one before while it is parsed; null where it can't be had. */
function useHtml(text: string, milliseconds: number): string | null | undefined {
  const [html, setHtml] = useState<string | null>();
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    void parse(text, { milliseconds, signal }).then((parsed) => {
      if (!signal.aborted) setHtml(parsed);
    });
    return () => leaving.abort();
  }, [text, milliseconds]);
  return html;
}

function AsWritten({ text }: { text: string }) {
  return (
    <>
      <p className="quiet">{words.markdown.asWritten}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is moved by keys */}
      <pre className="as-written" tabIndex={0}>
        {text}
      </pre>
    </>
  );
}

function Parsed({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [, navigate] = useLocation();
  /** A link to a page of ours opens it without loading all of them again. */
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!link?.matches('.mention') || !isPlain) return;
    event.preventDefault();
    navigate(`${link.pathname}${link.search}`);
  };
  useLayoutEffect(() => {
    place.current?.replaceChildren(...nodesOf(html));
  }, [html]);
  // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
  // biome-ignore lint/a11y/noStaticElementInteractions: the links in it are what is clicked
  return <div className="markdown" dir="auto" ref={place} onClick={follow} />;
}

/** The nodes of parsed Markdown, put together in a document that runs and loads nothing. */
function nodesOf(html: string): ChildNode[] {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const image of body.querySelectorAll('img')) {
    const id = imageIdOf(image.getAttribute('src'));
    if (id !== null) {
      image.replaceWith(pictureOf(id, image.alt));
      continue;
    }
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
  for (const link of body.querySelectorAll<HTMLAnchorElement>('a[href^="/@"]')) name(link);
  for (const link of body.querySelectorAll('a')) {
    if (link.origin === location.origin) continue;
    link.rel = 'noopener noreferrer';
    link.target = '_blank';
  }
  for (const table of body.querySelectorAll('table, pre')) table.setAttribute('tabindex', '0');
  return [...body.childNodes];
}

/** An image of ours, which is shown once it is there. */
function pictureOf(id: string, alt: string): HTMLImageElement {
  const picture = document.createElement('img');
  picture.alt = alt;
  imageOf(id).then(
    (src) => {
      picture.src = src;
    },
    () => picture.replaceWith(words.markdown.noImage(alt)),
  );
  return picture;
}

/** Lead from the name of a resource to its page, and from that of a person to what they own. */
function name(link: HTMLAnchorElement): void {
  const [, of, id] = link.pathname.split('/');
  const owner = `owner:"${link.textContent.replace(/^@/, '').replaceAll('"', '')}"`;
  link.className = 'mention';
  link.href =
    of === '@resource' ? `/resource/${id}` : `/search?${new URLSearchParams({ q: owner })}`;
}
