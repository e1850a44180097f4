// Dialog that says that something is deprecated: since when, why, and what to use in its place.

import { useState } from 'react';
import { ResourcesToChoose } from '../asking/choices.graphql';
import { ChooseResource } from '../parts/choosing/choose.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormActs } from '../parts/form-acts.tsx';
import { deprecationWords as words } from '../words/resource.ts';
import { type DeprecationProps, type Successor, useDeprecation } from './use-deprecation.ts';

const longestNote = 2_000;

interface FormProps extends DeprecationProps {
  readonly close: () => void;
}

/** The dialog, with what was said before. */
export function DeprecationForm({ of, renewed, close }: FormProps) {
  const { deprecation } = of;
  const today = new Date().toISOString();
  const before = (deprecation?.since ?? today).slice(0, 10);
  const [day, setDay] = useState(before);
  const [note, setNote] = useState(deprecation?.note ?? '');
  const [successor, setSuccessor] = useState<Successor | null>(deprecation?.successor ?? null);
  const { set, error, isBusy } = useDeprecation({ of, renewed });
  const submit = () => {
    // A day that was not changed keeps its time.
    const since = day === before || day === '' ? (deprecation?.since ?? null) : `${day}T00:00:00Z`;
    set({ since, note, successorId: successor?.id ?? null }, close);
  };
  return (
    <Dialog title={deprecation ? words.editTitle(of.title) : words.title(of.title)} close={close}>
      <form
        className="form wide"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <ChooseResource
          operation={ResourcesToChoose}
          label={words.successor}
          placeholder={words.successorPlaceholder}
          without={[of.id]}
          value={successor && { id: successor.id, name: successor.title }}
          choose={setSuccessor}
        />
        <label className="choice">
          <span>{words.note}</span>
          <textarea
            rows={3}
            maxLength={longestNote}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
        </label>
        <label className="choice">
          <span>{words.day}</span>
          <input
            type="date"
            min="1970-01-01"
            value={day}
            onChange={({ currentTarget }) => setDay(currentTarget.value)}
          />
        </label>
        <FormActs
          says={deprecation ? words.save : words.deprecate}
          isOff={isBusy}
          error={error}
          close={close}
        />
      </form>
    </Dialog>
  );
}
