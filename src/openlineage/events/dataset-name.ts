// The names of datasets and jobs: a namespace and a name in it.

import { membersOf, textOf } from './loose.ts';

/** What a dataset, or a job, is named by. */
export interface DatasetName {
  readonly namespace: string;
  readonly name: string;
}

/** The most characters of texts, by what they are. */
export const textLimits = { name: 2_000, text: 20_000, sql: 200_000, word: 200 } as const;

/** The name in an object; undefined where a part of it is missing or longer than it may be. */
export function readName(value: unknown): DatasetName | undefined {
  const members = membersOf(value);
  const namespace = namespaceOf(members.namespace);
  const name = nameOf(members.name);
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

/** A namespace, without the login and the parameters that an address may have. */
export function namespaceOf(value: unknown): string | undefined {
  return nameOf(
    nameOf(value)
      ?.replace(/^([a-z][a-z0-9+.:-]*:\/\/)[^/\s:]*:[^/\s]*@/i, '$1')
      .replace(/\?.*$/s, ''),
  );
}

/** A text that names something: a longer one would name something else if it was cut. */
export function nameOf(value: unknown): string | undefined {
  const text = textOf(value, textLimits.name + 1);
  return text === undefined || text.length > textLimits.name ? undefined : text;
}
