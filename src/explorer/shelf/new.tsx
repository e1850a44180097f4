// A text that is written for the first time; what is written stays in its tab until it is saved.

import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { ask } from '../asking/ask.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { useTitle } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { shelfWords as words } from '../words/shelf.ts';
import { writingWords as writing } from '../words/writing.ts';
import { draftOf, forgetDraft, keepDraft } from '../writing/draft.ts';
import { Fields, Restored } from '../writing/editor.tsx';
import { complete, useKeptDraft, useSaving } from '../writing/use-saving.ts';
import { CreateText, ShelfPlace } from './shelf.graphql';
import { mayHold, type Shelf } from './shelf.ts';

const empty = draftOf({ version: 0, title: '', description: null, definition: '' });

/** The fields, and the button that saves it where it was begun: in another one, or in none. */
export function NewText({ shelf, done }: { shelf: Shelf; done: () => Promise<unknown> }) {
  const asked = new URLSearchParams(useSearch());
  const kind = shelf.kinds.find((one) => one === asked.get('kind')) ?? shelf.kinds[0];
  const inside = asked.get('in') ?? '';
  const place = useAnswer(ShelfPlace, { id: inside }, { isWanted: inside !== '' });
  const found = place.data?.resource;
  const into = found && mayHold(found, kind) ? found : null;
  const [, navigate] = useLocation();
  const name = `new ${kind}`;
  const kept = useKeptDraft(name);
  const [draft, setDraft] = useState(kept?.draft ?? empty);
  const title = draft.title.trim();
  const says = shelf.words.create[kind] ?? '';
  useTitle(says);
  const creating = useAct(async () => {
    if (title === '') throw new Error(words.titleMissing);
    const { description, definition } = complete(draft);
    const lies = into?.kind === 'collection' && kind !== 'collection';
    const where = into ? (lies ? { collectionIds: [into.id] } : { parentId: into.id }) : {};
    const { createResource } = await ask(CreateText, {
      ...{ kind, input: { title, description, definition, ...where } },
    });
    forgetDraft(name);
    await done();
    navigate(`${shelf.address}/${createResource.id}`);
  }, []);
  const saving = useSaving({
    ...{ text: draft.definition, isSaving: creating.isPending },
    save: () => creating.mutate(),
  });
  const end = () => {
    forgetDraft(name);
    navigate(inside === '' ? shelf.address : `${shelf.address}/${inside}`);
  };
  return (
    <section className="editor" aria-label={says}>
      <h1>{says}</h1>
      {into && <p className="quiet">{words.createIn(into.title)}</p>}
      <Restored kept={kept} />
      {creating.error && <Problem error={creating.error} isKept />}
      <Fields
        draft={draft}
        withTitle
        write={(changes) => {
          const next = { ...draft, ...changes };
          keepDraft(name, next);
          setDraft(next);
        }}
        save={saving.save}
      />
      <div className="acts">
        <button type="button" className="main" disabled={saving.isOff} onClick={saving.save}>
          {saving.says}
        </button>
        <button type="button" onClick={end}>
          {words.cancel}
        </button>
        <span className="quiet" role="status">
          {saving.isWaiting && writing.savesAfter}
        </span>
      </div>
    </section>
  );
}
