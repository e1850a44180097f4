// Editor of a resource's texts: with a preview, and without losing concurrent changes.

import { type KeyboardEvent, useState } from 'react';
import { ask } from '../asking/ask.ts';
import { Refused } from '../asking/operation.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { Problem } from '../parts/problem.tsx';
import { words } from '../words.ts';
import { Conflict } from './conflict.tsx';
import { type Draft, draftOf, forgetDraft, keepDraft, mergeDraft, readDraft } from './draft.ts';
import { applyKey } from './marking.ts';
import { SaveWords, WordsNow } from './page.graphql';

interface EditorProps {
  readonly resource: {
    readonly id: string;
    readonly version: number;
    readonly description: string | null;
    readonly definition: string;
  };
  readonly close: () => void;
}

/** A resource that changes each time that it is looked at is left to a person. */
const mostTries = 5;

/** The editor. What is written is kept in this tab until it is saved or thrown away. */
export function Editor({ resource, close }: EditorProps) {
  const { id } = resource;
  const [kept] = useState(() => readDraft(id));
  const [draft, setDraft] = useState<Draft>(() => kept ?? draftOf(resource));
  const [isPreview, setPreview] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [theirs, setTheirs] = useState<Draft | null>(null);

  const write = (changes: Partial<Draft>) => {
    const next = { ...draft, ...changes };
    keepDraft(id, next);
    setDraft(next);
  };
  const end = () => {
    forgetDraft(id);
    close();
  };
  const save = async (mine = draft, tries = mostTries) => {
    setSaving(true);
    setError(null);
    try {
      const { version, description, definition } = mine;
      await ask(SaveWords, { id, version, description, definition });
      end();
    } catch (problem) {
      const isOvertaken = problem instanceof Refused && problem.code === 'CONFLICT';
      const merged = isOvertaken ? await merge(mine) : null;
      // What others changed besides these words stands in no one's way.
      if (merged?.contested.length === 0 && tries > 1) return save(merged.draft, tries - 1);
      setError(problem);
      setSaving(false);
    }
  };
  const merge = async (mine: Draft) => {
    const { resource: now } = await ask(WordsNow, { id }).catch(() => ({ resource: null }));
    if (!now) return null;
    const next = draftOf(now);
    const merged = mergeDraft(mine, next);
    if (merged.contested.length > 0) setTheirs(next);
    return merged;
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
    const marked = applyKey(event);
    if (marked !== null) write({ definition: marked });
  };
  const settle = (settled: Draft) => {
    write(settled);
    setTheirs(null);
    setError(null);
  };

  return (
    <section className="sheet editor" aria-label={words.edit.title} onKeyDown={press}>
      <h2>{words.edit.title}</h2>
      {kept && <p className="quiet">{words.edit.draft}</p>}
      {theirs && <Conflict mine={draft} theirs={theirs} error={error} settle={settle} />}
      {error !== null && !theirs && <Problem error={error} again={() => void save()} />}
      <label htmlFor="description">{words.edit.description}</label>
      <input
        id="description"
        value={draft.description}
        onChange={({ currentTarget }) => write({ description: currentTarget.value })}
      />
      <div className="switch">
        <label htmlFor="definition">{words.edit.text}</label>
        <button type="button" aria-pressed={!isPreview} onClick={() => setPreview(false)}>
          {words.edit.write}
        </button>
        <button type="button" aria-pressed={isPreview} onClick={() => setPreview(true)}>
          {words.edit.preview}
        </button>
      </div>
      <textarea
        id="definition"
        rows={14}
        hidden={isPreview}
        value={draft.definition}
        aria-describedby="definition-hint"
        onChange={({ currentTarget }) => write({ definition: currentTarget.value })}
      />
      {isPreview && (
        <div className="preview">
          <Markdown text={draft.definition || words.edit.nothing} />
        </div>
      )}
      <p className="quiet" id="definition-hint">
        {words.edit.hint}
      </p>
      <div className="acts">
        <button type="button" className="main" disabled={isSaving} onClick={() => void save()}>
          {isSaving ? words.edit.saving : words.edit.save}
        </button>
        <button type="button" disabled={isSaving} onClick={end}>
          {kept ? words.edit.discard : words.edit.cancel}
        </button>
      </div>
    </section>
  );
}
