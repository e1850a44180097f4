// What the search field offers for a text: what was found, what can be made, and where one can go.

import { completionsOf } from '../search/completions.ts';
import { frameWords } from '../words/frame.ts';
import type { SuggestionsData } from './frame.graphql';
import type { Making, Place } from './places.ts';

const words = frameWords.find;

type Found = SuggestionsData['search']['nodes'][number];

/** One line of what is offered. */
export interface Option {
  /** Heading above the first of its kind. */
  readonly group: string;
  readonly icon: string;
  readonly name: string;
  /** What was found, to be shown with its place and its matches. */
  readonly found: Found | null;
  /** Where it leads. */
  readonly href: string | null;
  /** What the field holds after it was taken, where it leads nowhere yet. */
  readonly text: string | null;
}

interface Offered {
  readonly typed: string;
  /** What the server found for that text; undefined while it looks. */
  readonly found: readonly Found[] | undefined;
  readonly places: readonly Place[];
  readonly makings: readonly Making[];
}

/** `@anna` and `#pii` as the search writes them. */
export function queryOf(typed: string): string {
  return typed.trim().replace(/^@\s*/, 'owner:').replace(/^#\s*/, 'tag:').slice(0, 200);
}

/** Whether a text is looked for in the catalog: commands are not, nor a mark on its own. */
export function isLookedFor(typed: string): boolean {
  const query = queryOf(typed);
  return query !== '' && !query.startsWith('>') && !/^(owner|tag):$/.test(query);
}

/** All of it, in the order in which it is shown: of several that fit the first is taken by Enter. */
export function optionsFor({ typed, found, places, makings }: Offered): readonly Option[] {
  const isCommand = typed.startsWith('>');
  const part = (isCommand ? typed.slice(1) : typed).trim().toLowerCase();
  const fits = (name: string) => name.toLowerCase().includes(part);
  const bare = { found: null, text: null };
  const commands = makings
    .map(({ href, name, icon }) => ({ href, icon, name: frameWords.makes(name) }))
    .filter(({ name }) => fits(name))
    .map((one): Option => ({ ...bare, ...one, group: words.commands }));
  const goTo = places
    .filter(({ name }) => fits(name))
    .map(({ href, name, icon }): Option => ({ ...bare, href, name, icon, group: words.goTo }));
  if (isCommand) return [...commands, ...goTo];
  if (part === '') return [...goTo, ...commands];
  const hits = (found ?? []).map(
    (one, at): Option => ({
      group: at === 0 ? words.best : words.data,
      icon: one.resource.kind,
      name: one.resource.title,
      found: one,
      href: `/resource/${one.resource.id}`,
      text: null,
    }),
  );
  const filters = completionsOf(typed).map(
    (text): Option => ({
      ...{ group: words.filters, icon: 'filter', name: text },
      ...{ found: null, href: null, text },
    }),
  );
  return [...hits, ...filters, ...commands, ...goTo, allFor(typed)];
}

function allFor(typed: string): Option {
  const query = queryOf(typed);
  return {
    ...{ group: '', icon: 'search', name: words.all(query), found: null, text: null },
    href: `/search?${new URLSearchParams({ q: query })}`,
  };
}
