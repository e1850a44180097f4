// Making an API key in a dialog, which then shows it once.

import { useState } from 'react';
import { ask } from '../../asking/ask.ts';
import { useAct } from '../../asking/use-answer.ts';
import { Choice } from '../../parts/choosing/choice.tsx';
import { ChoosePerson } from '../../parts/choosing/choose.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormActs } from '../../parts/form-acts.tsx';
import { NameField } from '../../parts/name-field.tsx';
import { adminWords as words } from '../../words/admin.ts';
import { auditWords } from '../../words/audit.ts';
import { ShownOnce } from '../shown-once.tsx';
import { type AdminKey, AdminKeys, MakeKey, type MakeKeyData } from './keys.graphql';

type Scope = AdminKey['scopes'][number];
const scopeNames: readonly Scope[] = ['READ', 'WRITE', 'IMPORT', 'REPORT', 'ADMIN'];

interface KeyMakingProps {
  /** Whose key it is; null where that is chosen. */
  readonly of: string | null;
  readonly close: () => void;
}

/** The dialog. */
export function KeyMaking({ of, close }: KeyMakingProps) {
  const [name, setName] = useState('');
  const [userId, setUser] = useState('');
  const [scope, setScope] = useState<Scope>('READ');
  const [ends, setEnds] = useState('');
  const make = useAct<void, MakeKeyData>(
    () =>
      ask(MakeKey, {
        input: {
          name,
          scopes: [scope],
          ...(userId === '' ? {} : { userId }),
          ...(ends === '' ? {} : { expiresAt: `${ends}T23:59:59Z` }),
        },
      }),
    [AdminKeys],
  );
  if (make.data) {
    return (
      <ShownOnce
        title={words.keyReady}
        says={words.keyMade}
        copy={words.copyKey}
        secret={make.data.createApiKey.key}
        done={close}
      />
    );
  }
  return (
    <Dialog title={words.makeKey} close={close} isWritten={name !== ''}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <NameField label={words.keyName} value={name} set={setName} />
        {of === null && (
          <ChoosePerson
            label={words.keyOf}
            none={auditWords.me}
            me={auditWords.me}
            value={userId}
            choose={setUser}
          />
        )}
        <Choice
          label={words.keyScope}
          none={null}
          value={scope}
          choose={(id) => setScope(scopeNames.find((one) => one === id) ?? 'READ')}
          choices={scopeNames.map((id) => ({ id, name: words.keyScopes[id] }))}
        />
        <label className="choice">
          <span>{words.keyEnds}</span>
          <input
            type="date"
            value={ends}
            onChange={({ currentTarget }) => setEnds(currentTarget.value)}
          />
          <small className="quiet">{words.keyUsual}</small>
        </label>
        <FormActs says={words.makeKey} isOff={make.isPending} error={make.error} close={close} />
      </form>
    </Dialog>
  );
}
