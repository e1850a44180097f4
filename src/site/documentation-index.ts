// Search index of the documentation: every section of every page, as one JSON file.

import { readdir, readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { prefix } from './documentation-path.ts';
import { sectionsOf, textOf } from './documentation-text.ts';
import { pageFile, type SiteFile } from './file.ts';

/** A section that can be found. */
export interface Found {
  readonly page: string;
  readonly heading: string;
  /** The address of the section. */
  readonly at: string;
  readonly text: string;
}

/** All that can be found in a folder of pages, as a file; others are served between two pages. */
export async function documentationIndex(folder: URL): Promise<SiteFile> {
  const names = await readdir(folder, { recursive: true });
  const found: Found[] = [];
  for (const name of names.filter((one) => one.endsWith('.md')).sort()) {
    found.push(...sectionsIn(name, await readFile(new URL(name, folder), 'utf8')));
    await nextTurn();
  }
  return { file: pageFile('search.json', JSON.stringify(found)), keeping: 'ask' };
}

function sectionsIn(name: string, markdown: string): Found[] {
  const sections = sectionsOf(markdown);
  const page = sections[0]?.heading ?? name;
  const at = `${prefix}/${name.replaceAll('\\', '/')}`.replace(/(?:\/README)?\.md$/, '');
  return sections.map((section) => ({
    page,
    heading: section.heading,
    at: `${at}#${section.anchor}`,
    text: textOf(section),
  }));
}
