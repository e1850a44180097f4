// Unknown parameters: refused, or warned of in the answer.

import { type FieldError, invalid } from '../errors.ts';
import { nearest } from '../text/nearest.ts';

/** What becomes of unknown parameters: the request is refused, or served with a `Warning` header. */
export type UnknownParameters = 'refuse' | 'warn';

/**
 * What clients send to whatever they talk to, without meaning anything by it here: the numbers of pages to
 * what has no pages, the format that there is one of, and what keeps a cache from answering.
 */
const ignoredParameters: readonly string[] = ['_', 'format', 'page', 'page_size'];

/** What a request carries, and what of it is read. */
export interface Carried {
  /** What one of them is called: `parameter`, `form field`, `field` of a body, or `member` of an object. */
  readonly noun: string;
  readonly given: Iterable<string>;
  readonly known: readonly string[];
  /** What is read from another place, by name, and which place that is. */
  readonly elsewhere?: { readonly names: readonly string[]; readonly place: string };
}

/** Deals with names that no one reads. */
export type MeetUnknown = (carried: Carried) => void;

const maxErrors = 20;
const maxShown = 60;

/**
 * How a request deals with them: throws BAD_REQUEST that names each, the nearest that is known, and all
 * that are; or, for `warn`, says the same in the headers of the answer.
 */
export function unknownIn(policy: UnknownParameters, headers: Headers): MeetUnknown {
  return ({ noun, given, known, elsewhere }) => {
    const unknown = [...new Set(given)].filter((name) => !known.includes(name));
    const errors = unknown.slice(0, maxErrors).map((name) => {
      const place = elsewhere?.names.includes(name) ? elsewhere.place : undefined;
      return described(name, noun, known, place);
    });
    if (errors.length === 0) return;
    const said = errors.map(({ field, message }) => `${field}: ${message}`).join(' ');
    if (policy === 'refuse') throw invalid(`${said} ${allOf(noun, known)}`, errors);
    addWarning(headers, `${said} ${allOf(noun, known)}`);
  };
}

/** Say something next to an answer. A header holds printable ASCII. */
export function addWarning(headers: Headers, text: string): void {
  headers.append('warning', `299 - "${text.replaceAll(/[^\x20-\x7e]|["\\]/g, "'")}"`);
}

/** The parameters of a query, of which `known` are read; those that mean nothing are left out. */
export function inQuery(query: URLSearchParams, known: readonly string[]): Carried {
  const given = [...query.keys()].filter((name) => !ignoredParameters.includes(name));
  return { noun: 'parameter', given, known };
}

function described(
  name: string,
  noun: string,
  known: readonly string[],
  place: string | undefined,
): FieldError {
  const none = `There is no such ${noun} here.`;
  if (place !== undefined) return { field: name, message: `${none} Send it ${place}.` };
  const meant = nearest(
    name,
    known.filter((one) => !one.endsWith('[]')),
  );
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return { field: name.slice(0, maxShown), message: `${none}${hint}` };
}

function allOf(noun: string, known: readonly string[]): string {
  const names = known.filter((name) => !name.endsWith('[]'));
  return names.length === 0 ? `Send no ${noun}s here.` : `Known are ${names.join(', ')}.`;
}
