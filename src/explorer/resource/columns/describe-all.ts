// Descriptions of all columns of a table at once: each is a field, and one press saves those that were changed.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notify } from '../../asking/undo.ts';
import { useAct } from '../../asking/use-answer.ts';
import { resourceWords as words } from '../../words/resource.ts';
import { type Described, describe, showingColumns } from './describe.ts';

/** Sent at the same time at most. */
const atOnce = 5;

interface Written {
  /** The column as it was when its field was first changed. */
  readonly from: Described;
  readonly text: string;
}

/** A text, and the column that it replaces the description of. */
interface Sending {
  readonly column: Described;
  readonly text: string;
}

type Texts = ReadonlyMap<string, Written>;

/** The fields, while they are open. */
export interface DescribingAll {
  textOf(column: Described): string;
  write(column: Described, text: string): void;
  /** Whether others changed the description since one began to write. */
  isOvertaken(column: Described): boolean;
  /** Give up what was written. */
  drop(id: string): void;
  /** Why a text was not taken; undefined where it was not refused. */
  errorOf(id: string): unknown;
  readonly isSaving: boolean;
  /** Save what was changed. What is refused stays in its field, the others are saved. */
  save(): void;
  /** Close the fields; what was written can be brought back for a while. */
  leave(): void;
}

/**
 * The fields of all columns, null while they are closed, and how they are opened. `columns` are those that are shown: a
 * text replaces the description that stands next to it when it is saved, and none that was not seen.
 */
export function useDescribeAll(columns: readonly Described[]): {
  all: DescribingAll | null;
  open: () => void;
} {
  const client = useQueryClient();
  const [texts, setTexts] = useState<Texts | null>(null);
  const [errors, setErrors] = useState<ReadonlyMap<string, unknown>>(new Map());
  const now = new Map(columns.map((column) => [column.id, column]));
  const changed = [...(texts?.values() ?? [])]
    .map(({ from, text }) => ({ column: now.get(from.id) ?? from, text: text.trim() }))
    .filter(({ column, text }) => text !== (column.description ?? ''));
  const saving = useAct(() => sendAll(changed), showingColumns);
  const takeBack = async (inverses: readonly (() => Promise<unknown>)[]) => {
    for (const inverse of inverses) await inverse();
    const renewing = showingColumns.map(({ name }) =>
      client.invalidateQueries({ queryKey: [name] }),
    );
    await Promise.all(renewing);
  };
  const save = () =>
    saving.mutate(undefined, {
      onSuccess({ inverses, refused }) {
        if (inverses.length > 0)
          notify({ says: words.describedAll(inverses.length), undo: () => takeBack(inverses) });
        setErrors(new Map(refused.map(({ one, error }) => [one.column.id, error])));
        setTexts(refused.length > 0 ? asTexts(refused.map(({ one }) => one)) : null);
      },
    });
  const leave = () => {
    setTexts(null);
    setErrors(new Map());
    if (changed.length === 0) return;
    const bringBack = async () => setTexts(asTexts(changed));
    notify({ says: words.discardedAll(changed.length), undo: bringBack });
  };
  const all = texts && {
    textOf: (column: Described) => texts.get(column.id)?.text ?? column.description ?? '',
    write: (column: Described, text: string) =>
      setTexts(new Map(texts).set(column.id, { from: texts.get(column.id)?.from ?? column, text })),
    isOvertaken(column: Described) {
      const from = texts.get(column.id)?.from ?? column;
      return from.description !== column.description;
    },
    drop: (id: string) => setTexts(new Map([...texts].filter(([one]) => one !== id))),
    errorOf: (id: string) => errors.get(id),
    ...{ isSaving: saving.isPending, save: changed.length > 0 ? save : leave, leave },
  };
  return { all, open: () => setTexts(new Map()) };
}

const asTexts = (sending: readonly Sending[]): Texts =>
  new Map(sending.map(({ column, text }) => [column.id, { from: column, text }]));

/** Send each on its own: one that is refused keeps none of the others. */
async function sendAll(sending: readonly Sending[]) {
  const inverses: (() => Promise<unknown>)[] = [];
  const refused: { one: Sending; error: unknown }[] = [];
  for (let at = 0; at < sending.length; at += atOnce) {
    await Promise.all(
      sending.slice(at, at + atOnce).map(async (one) => {
        try {
          inverses.push(await describe(one.column, one.text));
        } catch (error) {
          refused.push({ one, error });
        }
      }),
    );
  }
  return { inverses, refused };
}
