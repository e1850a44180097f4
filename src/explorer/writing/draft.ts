// Unsaved texts: a reload or a wrong click loses none of them.

import { keepText, readText } from '../asking/form.ts';

/** The texts of a resource that people write. */
interface Texts {
  readonly title: string;
  readonly description: string;
  readonly definition: string;
}

const names = ['title', 'description', 'definition'] as const;

/** What somebody writes about a resource, and of which version of it. */
export interface Draft extends Texts {
  readonly version: number;
  /** The texts that it was begun from. */
  readonly from: Texts;
}

/** What a draft is begun from. */
export interface Written {
  readonly version: number;
  readonly title: string;
  readonly description: string | null;
  readonly definition: string;
}

/** A draft as a resource is now. */
export function draftOf({ version, ...resource }: Written): Draft {
  const { title, definition } = resource;
  const texts = { title, description: resource.description ?? '', definition };
  return { version, ...texts, from: texts };
}

/** A draft on top of what others saved since it was begun. */
export interface Merged {
  /** Mine where I wrote, theirs everywhere else. */
  readonly draft: Draft;
  /** The texts that both sides changed, each in another way. */
  readonly contested: readonly (keyof Texts)[];
}

/** Bring a draft up to date. */
export function mergeDraft(mine: Draft, theirs: Draft): Merged {
  const { from } = mine;
  const merge = (name: keyof Texts) => (mine[name] === from[name] ? theirs : mine)[name];
  const isContested = (name: keyof Texts) =>
    ![from[name], theirs[name]].includes(mine[name]) && theirs[name] !== from[name];
  const [title, description, definition] = [
    merge('title'),
    merge('description'),
    merge('definition'),
  ];
  return {
    draft: { ...theirs, title, description, definition },
    contested: names.filter(isContested),
  };
}

/** What was written in this tab and not saved; null where nothing was. */
export function readDraft(id: string): Draft | null {
  const text = readText(id);
  if (text === null) return null;
  const { version, from, ...texts } = JSON.parse(text);
  return { version: Number(version), ...textsOf(texts), from: textsOf(from) };
}

function textsOf(given: Partial<Record<keyof Texts, unknown>> | undefined): Texts {
  const { title, description, definition } = given ?? {};
  return {
    ...{ title: String(title), description: String(description), definition: String(definition) },
  };
}

/** Keep what was written until it is saved or thrown away. */
export function keepDraft(id: string, draft: Draft): void {
  keepText(id, JSON.stringify(draft));
}

/** It was saved or thrown away. */
export function forgetDraft(id: string): void {
  keepText(id, '');
}
