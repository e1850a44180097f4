// In charge of words that are not saved yet: a reload or a wrong click loses none of them.

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

/** A draft brought up to date, and whether both sides have changed the same text. */
export function mergeDraft(mine: Draft, theirs: Draft): { draft: Draft; isContested: boolean } {
  const merge = (name: keyof Texts) => {
    const isTheirs = mine[name] === mine.from[name];
    const isContested =
      !isTheirs && theirs[name] !== mine.from[name] && theirs[name] !== mine[name];
    return { text: isTheirs ? theirs[name] : mine[name], isContested };
  };
  const [description, definition] = [merge('description'), merge('definition')];
  return {
    draft: { ...theirs, description: description.text, definition: definition.text },
    isContested: description.isContested || definition.isContested,
  };
}

const place = (id: string) => `headwater:draft:${id}`;

/** What was written in this tab and not saved; null where nothing was. */
export function readDraft(id: string): Draft | null {
  const text = sessionStorage.getItem(place(id));
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
  sessionStorage.setItem(place(id), JSON.stringify(draft));
}

/** It was saved or thrown away. */
export function forgetDraft(id: string): void {
  sessionStorage.removeItem(place(id));
}
