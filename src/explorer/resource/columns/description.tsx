// The description of a column, edited where it stands.

import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import { keepText, readText } from '../../asking/form.ts';
import { Refused } from '../../asking/operation.ts';
import { useUndoable } from '../../asking/undo.ts';
import { Overtaken, Problem } from '../../parts/problem.tsx';
import { resourceWords as words } from '../../words/resource.ts';
import { words as common } from '../../words.ts';
import type { Suggestion } from './column-lineage.tsx';
import { type Described, describe, showingColumns } from './describe.ts';

interface DescriptionProps {
  readonly column: Described & { readonly title: string };
  readonly mayWrite: boolean;
  /** What a column upstream is described as; null where none is. */
  readonly suggestion: Suggestion | null;
}

/** The text as a button, and the field that takes its place. */
export function Description({ column, mayWrite, suggestion }: DescriptionProps) {
  const { id, title, description } = column;
  const place = `description:${id}`;
  // What was written before another page was looked at is there again.
  const [isEditing, setEditing] = useState(() => mayWrite && readText(place) !== null);
  const around = useRef<HTMLSpanElement>(null);
  const save = useUndoable(showingColumns);
  const write = (text: string, done?: () => void) =>
    save.mutate(
      { says: common.toast.saved(title), act: () => describe(column, text) },
      { onSuccess: () => done?.() },
    );
  // What somebody else wrote is asked for again by then, and is what the next save replaces.
  const isOvertaken = save.error instanceof Refused && save.error.code === 'CONFLICT';
  if (!mayWrite) return <span dir="auto">{description}</span>;
  const close = (isNext: boolean) => {
    const all = [...document.querySelectorAll<HTMLElement>('.described')];
    const here = around.current ? all.indexOf(around.current) : -1;
    setEditing(false);
    save.reset();
    keepText(place, '');
    const next = all[here + (isNext ? 1 : 0)] ?? all[here];
    // The next one opens; a text that is left alone is a button again, which has the focus.
    setTimeout(() => {
      const button = next?.querySelector<HTMLElement>('button.text');
      if (isNext && next !== around.current) button?.click();
      else button?.focus();
    });
  };
  const keep = (text: string, isNext: boolean) => {
    if (text.trim() === (description ?? '')) return close(isNext);
    return write(text.trim(), () => close(isNext));
  };
  return (
    <span className="described" ref={around}>
      {isEditing ? (
        <Field
          name={words.columnDescription(title)}
          text={description ?? ''}
          place={place}
          isSaving={save.isPending}
          keep={keep}
          leave={() => close(false)}
        />
      ) : (
        <button
          type="button"
          className={description ? 'text' : 'text quiet'}
          dir="auto"
          onClick={() => setEditing(true)}
        >
          {description || words.addDescription}
          <span className="spoken">
            {description ? words.editDescription(title) : words.ofColumn(title)}
          </span>
        </button>
      )}
      {!isEditing && !description && suggestion && (
        <Offer suggestion={suggestion} take={() => write(suggestion.description)} />
      )}
      {isOvertaken && <Overtaken take={() => close(false)}>{description}</Overtaken>}
      {save.error && !isOvertaken && <Problem error={save.error} />}
    </span>
  );
}

interface FieldProps {
  readonly name: string;
  readonly text: string;
  /** Where this tab keeps what is written until it is saved. */
  readonly place: string;
  readonly isSaving: boolean;
  readonly keep: (text: string, isNext: boolean) => void;
  readonly leave: () => void;
}

function Field({ name, text, place, isSaving, keep, leave }: FieldProps) {
  const [written, setWritten] = useState(() => readText(place) ?? text);
  const write = (next: string) => {
    keepText(place, next === text ? '' : next);
    setWritten(next);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') leave();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    keep(written, true);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        keep(written, false);
      }}
    >
      <textarea
        aria-label={name}
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
        autoFocus
        rows={2}
        dir="auto"
        value={written}
        onChange={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={press}
      />
      <span className="acts">
        <button type="submit" className="main" disabled={isSaving}>
          {words.save}
        </button>
        <button type="button" onClick={leave}>
          {words.cancel}
        </button>
        <small className="quiet">{words.editKeys}</small>
      </span>
    </form>
  );
}

function Offer({ suggestion, take }: { suggestion: Suggestion; take: () => void }) {
  return (
    <small>
      <button type="button" className="offer" onClick={take}>
        {words.takeDescription(suggestion.description)}
      </button>{' '}
      <Link href={`/resource/${suggestion.id}`}>{suggestion.from}</Link>
    </small>
  );
}
