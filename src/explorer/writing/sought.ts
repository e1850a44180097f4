// What somebody begins to name in a text: a person after `@`, a resource after `[[`.

import type { Replacement } from './marks.ts';

/** A name that is begun, from where on, and what is typed of it. */
export interface Sought {
  readonly of: 'person' | 'resource';
  readonly from: number;
  readonly query: string;
}

const person = /(?:^|[\s(])@([\p{L}\p{N}._-]{0,40}(?: [\p{L}\p{N}._-]{0,40})?)$/u;
const resource = /\[\[([^[\]\n]{0,80})$/;

/** The name that the caret stands behind; null where none is begun. */
export function soughtIn(value: string, caret: number): Sought | null {
  const line = value.slice(value.lastIndexOf('\n', caret - 1) + 1, caret);
  const [, name] = resource.exec(line) ?? [];
  if (name !== undefined) return { of: 'resource', from: caret - name.length - 2, query: name };
  const [, who] = person.exec(line) ?? [];
  if (who !== undefined) return { of: 'person', from: caret - who.length - 1, query: who };
  return null;
}

/** Something that can be named. */
export interface Nameable {
  readonly id: string;
  readonly name: string;
}

/** The link that takes the place of what was typed. */
export function linkTo(
  { of, from, query }: Sought,
  { id, name }: Nameable,
  value: string,
): Replacement {
  const [sign, target, typed] = of === 'person' ? ['@', 'user', 1] : ['', 'resource', 2];
  const end = from + typed + query.length;
  // What closes the brackets by hand is part of it.
  const to = of === 'resource' && value.startsWith(']]', end) ? end + 2 : end;
  const text = `[${sign}${name.replace(/[\\[\]]/g, '\\$&')}](${target}:${id})`;
  const caret = from + text.length;
  return { from, to, text, start: caret, end: caret };
}
