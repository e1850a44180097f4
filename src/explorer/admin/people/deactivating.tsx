// Deactivating a person: what they own, and to whom it goes.

import { useState } from 'react';
import { ask } from '../../asking/ask.ts';
import { useUndoable } from '../../asking/undo.ts';
import { useAnswer } from '../../asking/use-answer.ts';
import type { Choosable } from '../../parts/choosing/choosable.ts';
import { usePeople } from '../../parts/choosing/choose.tsx';
import { Combobox } from '../../parts/choosing/combobox.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { adminWords as words } from '../../words/admin.ts';
import { words as common } from '../../words.ts';
import {
  type AdminPerson,
  ChangePerson,
  DeactivatePerson,
  HandOver,
  WhatPersonOwns,
} from './people.graphql';

interface DeactivatingProps {
  readonly person: AdminPerson;
  readonly renewed: readonly { readonly name: string }[];
  readonly done: () => void;
  readonly close: () => void;
}

/** The dialog. */
export function Deactivating({ person, renewed, done, close }: DeactivatingProps) {
  const { id, name, version } = person;
  const owned = useAnswer(WhatPersonOwns, { id }).data?.user?.ownedResources;
  const [heir, setHeir] = useState<Choosable | null>(null);
  const { people, ...found } = usePeople(true);
  const act = useUndoable([...renewed, WhatPersonOwns]);
  const ids = owned?.nodes.map((one) => one.id) ?? [];
  const deactivate = async () => {
    // Handing over comes first: where that is refused, nothing is done.
    if (heir && ids.length > 0) await handOver(ids, id, heir.id);
    const { deactivateUser } = await ask(DeactivatePerson, { id, version });
    if (!deactivateUser) return null;
    return async () => {
      const input = { archived: false };
      await ask(ChangePerson, { id, version: deactivateUser.version, input });
      if (heir && ids.length > 0) await handOver(ids, heir.id, id);
    };
  };
  return (
    <Dialog title={words.deactivateTitle(name)} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate({ says: words.deactivatedSays(name), act: deactivate }, { onSuccess: done });
        }}
      >
        <p>{words.deactivateMeans}</p>
        {owned && owned.totalCount > 0 && (
          <>
            <p>{words.personOwns(owned.totalCount)}</p>
            <Combobox
              {...found}
              label={words.heir}
              hint={owned.totalCount > ids.length ? words.heirCut(ids.length) : undefined}
              none={words.heirNone}
              choices={people.filter((one) => one.id !== id)}
              chosen={heir ? [heir] : []}
              set={([one]) => setHeir(one ?? null)}
            />
          </>
        )}
        {act.error && <Problem error={act.error} />}
        <footer>
          <button type="submit" className="main alarm" disabled={act.isPending || !owned}>
            {words.deactivate}
          </button>
          <button type="button" data-first onClick={close}>
            {common.edit.cancel}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Make one person an owner in place of another. Throws what was wrong with the first that failed. */
async function handOver(ids: readonly string[], from: string, to: string): Promise<void> {
  const { updateResources } = await ask(HandOver, { ids: [...ids], from: [from], to: [to] });
  const [failed] = updateResources?.failed ?? [];
  if (failed) throw new Error(failed.message);
}
