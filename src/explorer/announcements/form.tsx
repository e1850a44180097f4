// Dialog that announces something, or changes what was announced: a text, how much it matters, and for how long.

import { useState } from 'react';
import { Choice } from '../parts/choosing/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormActs } from '../parts/form-acts.tsx';
import { localOf } from '../parts/moment.tsx';
import { announcementWords as words } from '../words/resource.ts';
import type { Announced } from './announcements.graphql';
import { useAnnouncing } from './use-announcing.ts';

const longest = 2_000;
const severities = ['INFO', 'WARNING'] as const;

interface AnnouncingProps {
  /** The resource that it is about; null for the whole workspace. */
  readonly on: { readonly id: string; readonly title: string } | null;
  /** What was announced before; absent for something new. */
  readonly before?: Announced;
  readonly close: () => void;
}

/** The dialog. */
export function AnnouncementForm({ on, before, close }: AnnouncingProps) {
  const [text, setText] = useState(before?.text ?? '');
  const [severity, setSeverity] = useState(before?.severity ?? 'INFO');
  const [first, last] = [localOf(before?.startsAt ?? null), localOf(before?.endsAt ?? null)];
  const [startsAt, setStartsAt] = useState(first);
  const [endsAt, setEndsAt] = useState(last);
  const { announce, change, error, isBusy } = useAnnouncing();
  const submit = () => {
    const said = {
      ...{ text, severity },
      // A time that was not changed keeps its seconds.
      ...(startsAt === first || startsAt === '' ? {} : { startsAt: momentOf(startsAt) }),
      ...(endsAt === last ? {} : { endsAt: endsAt === '' ? null : momentOf(endsAt) }),
    };
    if (before) change(before, said, close);
    else announce(on?.id ?? null, said, close);
  };
  const about = on?.title ?? words.everyone;
  return (
    <Dialog
      title={before ? words.editTitle(about) : words.title(about)}
      isWritten={text !== (before?.text ?? '')}
      close={close}
    >
      <form
        className="form wide"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label className="choice">
          <span>{words.text}</span>
          <textarea
            rows={4}
            required
            maxLength={longest}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <Choice
          label={words.severity}
          none={null}
          value={severity}
          choose={(id) => setSeverity(severities.find((one) => one === id) ?? severity)}
          choices={severities.map((id) => ({ id, name: words.severities[id] }))}
        />
        <Time label={words.startsAt} hint={words.startsHint} value={startsAt} set={setStartsAt} />
        <Time label={words.endsAt} hint={words.endsHint} value={endsAt} set={setEndsAt} />
        <FormActs
          says={before ? words.save : words.announce}
          isOff={isBusy || text.trim() === ''}
          error={error}
          close={close}
        />
      </form>
    </Dialog>
  );
}

function momentOf(local: string): string {
  return new Date(local).toISOString();
}

interface TimeProps {
  readonly label: string;
  /** What an empty field means. */
  readonly hint: string;
  readonly value: string;
  readonly set: (value: string) => void;
}

function Time({ label, hint, value, set }: TimeProps) {
  return (
    <label className="choice">
      <span>
        {label} <small className="quiet">{hint}</small>
      </span>
      <input
        type="datetime-local"
        value={value}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}
