// Editor of a resource's texts: with a preview, and without losing concurrent changes.

import { type KeyboardEvent, useRef, useState } from 'react';
import { ask } from '../asking/ask.ts';
import { isPassing, Refused } from '../asking/operation.ts';
import { Problem } from '../parts/problem.tsx';
import { writingWords } from '../words/writing.ts';
import { words } from '../words.ts';
import { Conflict, type LastEdit } from './conflict.tsx';
import { type Draft, draftOf, forgetDraft, keepDraft, mergeDraft, type Written } from './draft.ts';
import { SaveWords, WordsNow } from './saving.graphql';
import { complete, useKeptDraft, useSaving } from './use-saving.ts';
import { Writing } from './writing.tsx';

interface EditorProps {
  readonly resource: Written & { readonly id: string };
  /** Whether its title is edited as well: not where its source names it. */
  readonly withTitle?: boolean;
  readonly close: () => void;
}

/** A resource that changes each time that it is looked at is left to a person. */
const mostTries = 5;

/** The editor. What is written is kept in this tab until it is saved or thrown away. */
export function Editor({ resource, withTitle = false, close }: EditorProps) {
  const { id } = resource;
  const kept = useKeptDraft(id);
  const [draft, setDraft] = useState<Draft>(() => kept?.draft ?? draftOf(resource));
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [theirs, setTheirs] = useState<{ draft: Draft; by: LastEdit } | null>(null);
  const [isWritten, setWritten] = useState(false);
  const last = useRef(draft);

  const write = (changes: Partial<Draft>) => {
    const next = { ...draft, ...changes };
    last.current = next;
    keepDraft(id, next);
    setDraft(next);
    setWritten(true);
  };
  const end = () => {
    forgetDraft(id);
    close();
  };
  const send = async (mine = draft, tries = mostTries) => {
    setSaving(true);
    setError(null);
    try {
      const { version, title, description, definition, from: begun } = complete(mine);
      const named = title === begun.title ? {} : { title };
      const saved = await ask(SaveWords, { id, version, ...named, description, definition });
      const now = saved.updateResource?.version;
      const from = { title, description, definition };
      const typed = typedSince(draft, last.current);
      // What was typed while it was saved is not saved: it stays to be gone on with.
      if (now !== undefined && Object.keys(typed).length > 0) {
        write({ version: now, from, ...from, ...typed });
        setSaving(false);
      } else end();
    } catch (problem) {
      const isOvertaken = problem instanceof Refused && problem.code === 'CONFLICT';
      const merged = isOvertaken ? await merge(mine) : null;
      // What others changed besides these words stands in no one's way.
      if (merged?.contested.length === 0 && tries > 1) return send(merged.draft, tries - 1);
      setError(problem);
      setSaving(false);
    }
  };
  const saving = useSaving({ text: draft.definition, isSaving, save: () => void send() });
  const merge = async (mine: Draft) => {
    const { resource: now } = await ask(WordsNow, { id }).catch(() => ({ resource: null }));
    if (!now) return null;
    const next = draftOf(now);
    const merged = mergeDraft(mine, next);
    const by = { name: now.lastModifiedBy?.name ?? null, at: now.updatedAt };
    if (merged.contested.length > 0) setTheirs({ draft: next, by });
    return merged;
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.ctrlKey || event.metaKey) || !['Enter', 's'].includes(event.key)) return;
    event.preventDefault();
    saving.save();
  };
  const settle = (settled: Draft) => {
    write(settled);
    setTheirs(null);
    setError(null);
  };

  return (
    <section className="sheet editor" aria-label={words.edit.title} onKeyDown={press}>
      {!withTitle && <h2>{words.edit.title}</h2>}
      <Restored kept={kept} />
      {theirs && <Conflict mine={draft} theirs={theirs.draft} by={theirs.by} settle={settle} />}
      {error !== null && !theirs && !isPassing(error) && <Problem error={error} />}
      <Fields draft={draft} write={write} save={saving.save} withTitle={withTitle} />
      <div className="acts">
        <button type="button" className="main" disabled={saving.isOff} onClick={saving.save}>
          {saving.says}
        </button>
        <button type="button" disabled={isSaving} onClick={end}>
          {kept ? words.edit.discard : words.edit.cancel}
        </button>
        <span className="quiet" role="status">
          {saving.isWaiting
            ? writingWords.savesAfter
            : isPassing(error)
              ? words.keptInTab
              : isWritten
                ? writingWords.kept
                : ''}
        </span>
      </div>
    </section>
  );
}

/** The texts of a draft that say something else than when it was sent. */
function typedSince({ title, description, definition }: Draft, now: Draft): Partial<Draft> {
  return {
    ...(now.title === title ? {} : { title: now.title }),
    ...(now.description === description ? {} : { description: now.description }),
    ...(now.definition === definition ? {} : { definition: now.definition }),
  };
}

/** That a draft of this tab is shown, and what it lacks. */
export function Restored({ kept }: { kept: ReturnType<typeof useKeptDraft> }) {
  if (!kept) return null;
  return (
    <p className="quiet">
      {words.edit.draft} {kept.hasLostImage && writingWords.imageLost}
    </p>
  );
}

interface FieldsProps {
  readonly draft: Pick<Draft, 'title' | 'description' | 'definition'>;
  readonly write: (changes: Partial<Draft>) => void;
  readonly save: () => void;
  readonly withTitle: boolean;
}

/** The fields of a text: its title where that is to be written, its summary, and the text. */
export function Fields({ draft, write, save, withTitle }: FieldsProps) {
  return (
    <>
      {withTitle && (
        <input
          className="title"
          // biome-ignore lint/a11y/noAutofocus: a new text begins with its title
          autoFocus={draft.title === ''}
          dir="auto"
          aria-label={writingWords.title}
          placeholder={writingWords.title}
          maxLength={1_000}
          value={draft.title}
          onChange={({ currentTarget }) => write({ title: currentTarget.value })}
        />
      )}
      <label className="choice">
        <span>{words.edit.description}</span>
        <input
          dir="auto"
          value={draft.description}
          onChange={({ currentTarget }) => write({ description: currentTarget.value })}
        />
      </label>
      <Writing
        label={words.edit.text}
        value={draft.definition}
        write={(definition) => write({ definition })}
        save={save}
      />
    </>
  );
}
