// Searches that the viewer keeps: opened again by a press, and this one kept or no longer.

import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import { ask } from '../asking/ask.ts';
import { useUndoable } from '../asking/undo.ts';
import { type KeptSearch, RailCounts } from '../frame/frame.graphql';
import { useRail } from '../frame/use-rail.ts';
import { NameField } from '../parts/name-field.tsx';
import { Problem } from '../parts/problem.tsx';
import { words } from '../words.ts';
import { addressOfSearch } from './address-of.ts';
import { DeleteSavedSearch, KeepSearch, type KeepSearchVariables } from './page.graphql';

type Input = KeepSearchVariables['input'];

interface SavedProps {
  /** What is searched for now, without a name. */
  readonly now: Omit<Input, 'name'>;
}

/** The list, and what is done with the search that a page shows. */
export function Saved({ now }: SavedProps) {
  const rail = useRail();
  const here = `/search?${useSearch()}`;
  const all = rail?.viewer.savedSearches ?? [];
  const kept = all.find((one) => isSame(addressOfSearch(one), here));
  const change = useUndoable([RailCounts]);
  const remove = (gone: KeptSearch) =>
    change.mutate({
      says: words.search.forgotten(gone.name),
      act: async () => {
        await ask(DeleteSavedSearch, { id: gone.id });
        const { id: _id, ...input } = gone;
        return () => ask(KeepSearch, { input });
      },
    });
  if (!rail) return null;
  return (
    <div className="saved">
      {all.length > 0 && (
        <nav aria-label={words.search.saved}>
          {all.map((one) => (
            <Link
              key={one.id}
              className="pill"
              href={addressOfSearch(one)}
              aria-current={one === kept ? 'page' : undefined}
            >
              {one.name}
            </Link>
          ))}
        </nav>
      )}
      {kept ? (
        <button type="button" disabled={change.isPending} onClick={() => remove(kept)}>
          {words.search.forget}
        </button>
      ) : (
        now.query !== '' && <Keep key={here} now={now} />
      )}
      {change.error && <Problem error={change.error} />}
    </div>
  );
}

/** Whether two addresses ask for the same, in whichever order they say it. */
function isSame(one: string, other: string): boolean {
  const asked = (address: string) => [...new URLSearchParams(address.split('?')[1])].sort().join();
  return asked(one) === asked(other);
}

function Keep({ now }: SavedProps) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState(now.query ?? '');
  const keep = useUndoable([RailCounts]);
  if (!isOpen) {
    return (
      <button type="button" onClick={() => setOpen(true)}>
        {words.search.keep}
      </button>
    );
  }
  return (
    <form
      className="asking"
      onSubmit={(event) => {
        event.preventDefault();
        keep.mutate({
          says: words.search.kept(name),
          act: async () => {
            const { saveSearch } = await ask(KeepSearch, { input: { ...now, name } });
            return saveSearch ? () => ask(DeleteSavedSearch, { id: saveSearch.id }) : null;
          },
        });
      }}
    >
      <NameField label={words.search.keptName} value={name} set={setName} />
      <button type="submit" disabled={keep.isPending}>
        {words.search.keep}
      </button>
      {keep.error && <Problem error={keep.error} />}
    </form>
  );
}
