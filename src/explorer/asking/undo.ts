// What was done and can be undone: each write says how, and the last ones can be taken back for a while.

import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { words } from '../words.ts';
import { Refused } from './operation.ts';

/** What is said of a write, for a while. */
export interface Deed {
  readonly id: number;
  readonly says: string;
  /** Takes it back; null where that can't be done, or was. */
  readonly undo: (() => void) | null;
  /** Whether it went wrong: it is said until it is dismissed. */
  readonly isError: boolean;
}

/** Shown at a time. */
const most = 3;

const listeners = new Set<() => void>();
let deeds: readonly Deed[] = [];
let last = 0;

/** What is said now, the oldest first. */
export function readDeeds(): readonly Deed[] {
  return deeds;
}

/** Call `listener` whenever something is said, or no longer; answers how to stop that. */
export function onDeeds(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Say that something was done, and how it is undone. */
export function say(says: string, undo: (() => void) | null = null, isError = false): void {
  last += 1;
  set([...deeds, { id: last, says, undo, isError }].slice(-most));
}

/** Say it no longer. */
export function dismiss(id: number): void {
  set(deeds.filter((deed) => deed.id !== id));
}

/** Say nothing any more: what one person did is nothing to the next. */
export function forgetDeeds(): void {
  set([]);
}

/** Undo the last deed that can be; false where none can. */
export function undoLast(): boolean {
  const deed = deeds.findLast(({ undo }) => undo !== null);
  if (!deed) return false;
  undoDeed(deed);
  return true;
}

/** Undo a deed, which is said no longer. */
export function undoDeed({ id, undo }: Deed): void {
  dismiss(id);
  undo?.();
}

function set(next: readonly Deed[]): void {
  deeds = next;
  for (const listener of listeners) listener();
}

/** A write that can be undone. */
export interface Undoable {
  /** What is said once it is done. */
  readonly says: string;
  /** Does it, and answers its inverse; null where there is none. */
  act(): Promise<(() => Promise<unknown>) | null>;
}

/** Change something so that it can be undone; `renewed` is asked for again each time. */
export function useUndoable(
  renewed: readonly { readonly name: string }[],
): UseMutationResult<unknown, Error, Undoable> {
  const client = useQueryClient();
  const renew = () =>
    Promise.all(renewed.map(({ name }) => client.invalidateQueries({ queryKey: [name] })));
  return useMutation({
    mutationFn: ({ act }: Undoable) => act(),
    onSuccess: (inverse, { says }) => {
      const undo = () =>
        inverse?.()
          .then(
            () => say(words.toast.undone),
            (error: unknown) => say(`${words.toast.notUndone} ${reasonOf(error)}`, null, true),
          )
          .then(renew);
      say(says, inverse === null ? null : () => void undo());
    },
    onSettled: renew,
  });
}

/** A change of one thing, and the change that takes it back. */
interface Reversible<Input> {
  /** What is said once it is done. */
  readonly says: string;
  readonly to: Input;
  readonly back: Input;
  /** The version that it is expected to have, where others are not to be overwritten. */
  readonly version?: number;
  /** Whether undoing it may overwrite no one either; it may not where a version was expected. */
  readonly isGuarded?: boolean;
}

/** Change one thing so that it can be undone; `save` answers the version that it made. */
export function useReversible<Input>(
  save: (input: Input, version?: number) => Promise<number | undefined>,
  renewed: readonly { readonly name: string }[],
) {
  const { mutate, error, isPending } = useUndoable(renewed);
  const change = (reversible: Reversible<Input>, done?: () => void) => {
    const { says, to, back, version, isGuarded = version !== undefined } = reversible;
    mutate(
      {
        says,
        async act() {
          const made = await save(to, version);
          return () => save(back, isGuarded ? made : undefined);
        },
      },
      { onSuccess: () => done?.() },
    );
  };
  return { change, error, isBusy: isPending };
}

/** What was done elsewhere than by `useUndoable`, or why it was not. */
export interface Notice {
  readonly says?: string;
  readonly error?: unknown;
  /** Takes it back; absent where that can't be. */
  readonly undo?: () => Promise<unknown>;
}

/** Say what was done, with the way to take it back, or why it was not done. */
export function notify({ says = '', error, undo }: Notice): void {
  if (error !== undefined) {
    say(reasonOf(error), null, true);
    return;
  }
  const takeBack = () =>
    undo?.().then(
      () => say(words.toast.undone),
      (failed: unknown) => say(`${words.toast.notUndone} ${reasonOf(failed)}`, null, true),
    );
  say(says, undo ? () => void takeBack() : null);
}

function reasonOf(error: unknown): string {
  return error instanceof Refused ? error.message : String(error);
}
