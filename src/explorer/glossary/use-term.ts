// A term with what only terms have, and changing that so that it can be undone.

import { ask } from '../asking/ask.ts';
import { useReversible } from '../asking/undo.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { ShelfBranch, ShelfText } from '../shelf/shelf.graphql';
import {
  ChangeTerm,
  type ChangeTermVariables,
  TermFacts,
  type TermFactsData,
} from './page.graphql';

/** A term that is there. */
export type TermShown = Extract<NonNullable<TermFactsData['resource']>, { termStatus: unknown }>;

/** The term of an id; null until it is there. */
export function useTerm(id: string): TermShown | null {
  const term = useAnswer(TermFacts, { id }).data?.resource;
  return term && 'termStatus' in term ? term : null;
}

/** Whether the viewer may change a term. */
export function mayChange({ archived, currentUserPermissions }: TermShown): boolean {
  return currentUserPermissions.write && !archived;
}

type Input = ChangeTermVariables['input'];

/** Changes a term, which is to be as it is shown where `isWhole` says that a value takes the place of another. */
export function useTermChange({ id, version }: Pick<TermShown, 'id' | 'version'>) {
  const save = async (input: Input, at?: number) =>
    (await ask(ChangeTerm, { id, input, version: at })).updateResource.version;
  const { change, ...state } = useReversible(save, [TermFacts, ShelfText, ShelfBranch]);
  return {
    ...state,
    change: (
      says: string,
      to: Input,
      back: Input,
      { isWhole = false, done }: { readonly isWhole?: boolean; readonly done?: () => void } = {},
    ) => change({ says, to, back, ...(isWhole ? { version } : {}) }, done),
  };
}
