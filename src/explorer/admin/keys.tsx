// API keys: whose there are, making one, which is shown once, and revoking it.

import { useState } from 'react';
import { ask } from '../asking/ask.ts';
import { useAct, useList } from '../asking/use-answer.ts';
import { Choice, ChoosePerson } from '../parts/choose.tsx';
import { Moment } from '../parts/moment.tsx';
import { NameField } from '../parts/name-field.tsx';
import { Problem } from '../parts/problem.tsx';
import { Sure } from '../parts/sure.tsx';
import { auditWords, adminWords as words } from '../words/admin.ts';
import { atOnce, List } from './list.tsx';
import { type AdminKey, AdminKeys, MakeKey, type MakeKeyData, RevokeKey } from './page.graphql';
import { Shown } from './shown-once.tsx';

/** All keys, the newest first. */
export function Keys() {
  const list = useList(AdminKeys, {}, { atOnce, of: (data) => data.apiKeys });
  return (
    <>
      <Making />
      <List of={list}>{(key) => <Row apiKey={key} />}</List>
    </>
  );
}

function Row({ apiKey }: { apiKey: AdminKey }) {
  const { id, name, prefix, scopes, expiresAt, lastUsedAt, lastUsedFrom, revokedAt, user } = apiKey;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) < Date.now();
  const revoke = useAct(() => ask(RevokeKey, { id }), [AdminKeys]);
  return (
    <>
      <span className="of">
        <b>{name}</b> <code>{prefix}…</code>{' '}
        {revokedAt && <span className="badge">{words.revoked}</span>}{' '}
        {!revokedAt && isExpired && <span className="badge">{words.expired}</span>}
        <small>
          {words.actsFor} {user?.name} · {scopes.map((one) => words.keyScopes[one]).join(', ')} ·{' '}
          {lastUsedAt ? (
            <>
              {words.lastUsed} <Moment at={lastUsedAt} />{' '}
              {lastUsedFrom && `${words.usedFrom} ${lastUsedFrom}`}
            </>
          ) : (
            words.neverUsed
          )}
          {expiresAt && !isExpired && (
            <>
              {' · '}
              {words.ends} <Moment at={expiresAt} />
            </>
          )}
        </small>
        {revoke.error && <Problem error={revoke.error} />}
      </span>
      {!revokedAt && !isExpired && (
        <Sure
          label={words.revoke}
          of={name}
          isBusy={revoke.isPending}
          act={() => revoke.mutate()}
        />
      )}
    </>
  );
}

type Scope = AdminKey['scopes'][number];
const scopeNames: readonly Scope[] = ['READ', 'WRITE', 'IMPORT', 'REPORT', 'ADMIN'];

function Making() {
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
  return (
    <form
      className="sheet form below"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate(undefined, { onSuccess: () => setName('') });
      }}
    >
      <h2>{words.makeKey}</h2>
      <div className="line-of-fields">
        <NameField label={words.keyName} value={name} set={setName} />
        <ChoosePerson
          label={words.keyOf}
          none={auditWords.me}
          me={auditWords.me}
          value={userId}
          choose={setUser}
        />
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
      </div>
      {make.error && <Problem error={make.error} />}
      {make.data && (
        <Shown
          says={words.keyMade}
          copy={words.copyKey}
          secret={make.data.createApiKey.key}
          done={make.reset}
        />
      )}
      <p>
        <button type="submit" className="main" disabled={make.isPending}>
          {words.makeKey}
        </button>
      </p>
    </form>
  );
}
