// Deprecating a resource, and ending that, so that it can be undone.

import { ask } from '../asking/ask.ts';
import { useReversible } from '../asking/undo.ts';
import { deprecationWords as words } from '../words/resource.ts';
import { Deprecate, type DeprecateVariables } from './deprecation.graphql';

/** A resource that may be deprecated, as its page shows it. */
export interface Deprecable {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly version: number;
  readonly archived: boolean;
  readonly currentUserPermissions: { readonly write: boolean };
  readonly deprecation: {
    readonly since: string;
    readonly note: string | null;
    readonly successor: Successor | null;
  } | null;
}

/** What is to be used in the place of another. */
export interface Successor {
  readonly id: string;
  readonly title: string;
}

export interface DeprecationProps {
  readonly of: Deprecable;
  /** What is asked for again once it is changed. */
  readonly renewed: readonly { readonly name: string }[];
}

/** Whether the viewer may say that something is deprecated. */
export function mayDeprecate({ kind, archived, currentUserPermissions }: Deprecable): boolean {
  const isTalk = kind === 'question' || kind === 'question_reply';
  return currentUserPermissions.write && !archived && !isTalk;
}

type Said = NonNullable<DeprecateVariables['deprecation']>;

/** Says that it is deprecated, or with null that it no longer is. */
export function useDeprecation({ of, renewed }: DeprecationProps) {
  const { id, title, version, deprecation } = of;
  const save = async (said: Said | null, at?: number) =>
    (await ask(Deprecate, { id, version: at, deprecation: said })).updateResource.version;
  const { change, ...state } = useReversible(save, renewed);
  const before: Said | null = deprecation && {
    since: deprecation.since,
    note: deprecation.note,
    successorId: deprecation.successor?.id ?? null,
  };
  const set = (said: Said | null, done?: () => void) =>
    change(
      {
        says: said ? words.deprecated(title) : words.ended(title),
        to: said,
        back: before,
        version,
      },
      done,
    );
  return { ...state, set };
}
