// Unsaved texts: a reload or a wrong click loses none of them.

import { keepText, readText } from '../asking/form.ts';

interface Texts {
  readonly description: string;
  readonly definition: string;
}

/** What somebody writes about a resource, and of which version of it. */
export interface Draft extends Texts {
  readonly version: number;
  /** The texts that it was begun from. */
  readonly from: Texts;
}

/** A draft as a resource is now. */
export function draftOf(resource: {
  readonly version: number;
  readonly description: string | null;
  readonly definition: string;
}): Draft {
  const { version, definition } = resource;
  const description = resource.description ?? '';
  return { version, description, definition, from: { description, definition } };
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
  return {
    draft: { ...theirs, description: merge('description'), definition: merge('definition') },
    contested: (['description', 'definition'] as const).filter(isContested),
  };
}

/** What was written in this tab and not saved; null where nothing was. */
export function readDraft(id: string): Draft | null {
  const text = readText(id);
  if (text === null) return null;
  const { version, description, definition, from } = JSON.parse(text);
  return {
    version: Number(version),
    description: String(description),
    definition: String(definition),
    from: { description: String(from?.description), definition: String(from?.definition) },
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
