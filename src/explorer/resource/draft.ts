// In charge of words that are not saved yet: a reload or a wrong click loses none of them.

/** What somebody writes about a resource, and of which version of it. */
export interface Draft {
  readonly version: number;
  readonly description: string;
  readonly definition: string;
}

const place = (id: string) => `headwater:draft:${id}`;

/** What was written in this tab and not saved; null where nothing was. */
export function readDraft(id: string): Draft | null {
  const text = sessionStorage.getItem(place(id));
  if (text === null) return null;
  const { version, description, definition } = JSON.parse(text);
  return {
    version: Number(version),
    description: String(description),
    definition: String(definition),
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
