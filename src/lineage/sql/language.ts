// Tells other query languages from SQL, so that a text of them is called what it is.

/** How the languages that people paste for SQL begin, or what only they hold. */
const LANGUAGES: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Power Query M', /^\s*let\s+(?:#"[^"]*"|\w+)\s*=[\s\S]*\bin\s+(?:#"[^"]*"|\w+)\s*;?\s*$/],
  ['DAX', /^\s*(?:EVALUATE\b|DEFINE\s+(?:MEASURE|VAR|TABLE|COLUMN)\b)/i],
  ['LookML', /^\s*(?:view|explore|model|dimension|measure)\s*:\s*\+?\w+\s*\{/],
  [
    'KQL',
    /^\s*[\w.]+\s*(?:\r?\n\s*)?\|\s*(?:where|project|summarize|extend|take|join|mv-expand)\b/,
  ],
];

/** The name of the language of a text that is no SQL, or null. */
export function otherLanguage(text: string): string | null {
  return LANGUAGES.find(([, sign]) => sign.test(text))?.[0] ?? null;
}
