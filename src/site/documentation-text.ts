// The documentation as text: its sections, where each can be pointed at, and what they say.

/** A part of a page, from one heading to the next. */
export interface Section {
  /** Its heading, without marks; that of the page for what comes before any other. */
  readonly heading: string;
  /** Where it is pointed at. */
  readonly anchor: string;
  readonly markdown: string;
}

/** Markdown without what is said to the tests, which is for no one else. */
function withoutComments(markdown: string): string {
  return markdown.replaceAll(/^<!--.*?-->\n/gms, '');
}

/** The sections of a page. A line of code that begins with `#` is not a heading. */
export function sectionsOf(markdown: string): Section[] {
  const sections: { heading: string; lines: string[] }[] = [];
  let fence = '';
  for (const line of withoutComments(markdown).split('\n')) {
    const [, mark = ''] = /^\s*(```+|~~~+)/.exec(line) ?? [];
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) fence = '';
    const [, heading] = fence === '' ? (/^#{1,6} +(.+)$/.exec(line) ?? []) : [];
    if (heading !== undefined || sections.length === 0) {
      sections.push({ heading: plain(heading ?? ''), lines: [] });
    }
    sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ heading, lines }) => ({
    heading,
    anchor: anchorOf(heading),
    markdown: lines.join('\n'),
  }));
}

/** Where a heading is pointed at: as on the web pages of repositories. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** What a section says below its heading, without marks, addresses of links, and answers printed as code. */
export function textOf({ markdown }: Section): string {
  return plain(
    markdown
      .replaceAll(/^#{1,6} .*$/gm, '')
      .replaceAll(/^\s*```.*$[\s\S]*?^\s*```$/gm, ' ')
      .replaceAll(/^[|\s:-]+$/gm, ' ')
      .replaceAll(/^\s*(?:[-*>]|\d+\.) /gm, ' ')
      .replaceAll('|', ' '),
  );
}

function plain(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<(https?:[^>]*)>/g, '$1')
    .replaceAll(/`|\*\*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
