// HTML of Markdown, in bounds: what people wrote can make a parser slow, and its result many times as long.

import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** The longest HTML that a page takes in: references and tables make a short text long. */
export const mostHtml = 5_000_000;
/** The most elements in it, each with the tags that open and close it. */
export const mostElements = 60_000;

/** Links to people and resources are stored by their ids, which the parser would take for other schemes. */
const named = /\]\((user|resource):([0-9a-f-]{36})\)/g;
/** Where such a link was no link, but part of code, it stays as it was written. */
const unlinked = /\]\(\/@(user|resource)\/([0-9a-f-]{36})\)/g;

/**
 * The HTML of a text; null where it exceeds the bounds. HTML in the text comes out as text, and links of other schemes
 * come out empty: both by the parser's defaults. Its time is not bounded: of some texts it is quadratic in their length.
 */
export function htmlOf(text: string): string | null {
  const given = text.replaceAll(named, '](/@$1/$2)');
  const html = micromark(given, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }).replaceAll(
    unlinked,
    ']($1:$2)',
  );
  if (html.length > mostHtml) return null;
  let elements = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    if (html[at + 1] !== '/') elements += 1;
  }
  return elements > mostElements ? null : html;
}
