// API keys: whose there are, making one, and revoking it.

import { type ReactNode, useState } from 'react';
import { ask } from '../../asking/ask.ts';
import { say } from '../../asking/undo.ts';
import { useAct, useList } from '../../asking/use-answer.ts';
import { Moment } from '../../parts/moment.tsx';
import { More } from '../../parts/more.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Sure } from '../../parts/sure.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { adminWords as words } from '../../words/admin.ts';
import { atOnce } from '../part.tsx';
import { ShownOnce } from '../shown-once.tsx';
import { KeyMaking } from './key-making.tsx';
import { type AdminKey, AdminKeys, RevokeKey, RotateKey, type RotateKeyData } from './keys.graphql';

/** All keys, the newest first. */
export function Keys() {
  return (
    <>
      <KeyHead of={null}>
        <h1>{words.parts.keys}</h1>
      </KeyHead>
      <KeyList of={null} />
    </>
  );
}

interface KeysOfProps {
  /** Whose keys; null for those of all. */
  readonly of: string | null;
}

/** The heading of a list of keys, with the button that makes one. */
export function KeyHead({ of, children }: KeysOfProps & { children: ReactNode }) {
  const [isMaking, setMaking] = useState(false);
  return (
    <header className="part-head">
      {children}
      <button type="button" className="main" onClick={() => setMaking(true)}>
        {words.makeKey}
      </button>
      {isMaking && <KeyMaking of={of} close={() => setMaking(false)} />}
    </header>
  );
}

/** The list, as a table. */
export function KeyList({ of }: KeysOfProps) {
  const list = useList(AdminKeys, { userId: of }, { atOnce, of: (data) => data.apiKeys });
  const { data, nodes, error, refetch, rest } = list;
  if (error && !data) return <Problem error={error} again={refetch} />;
  if (!data) return <Waiting lines={6} />;
  if (nodes.length === 0) return <p className="nothing">{words.noKeys}</p>;
  return (
    <>
      <table className="settings-list" aria-label={words.parts.keys}>
        <thead>
          <tr>
            {[words.name, words.keyOf, words.keyScope, words.keyEnds, words.lastUsed, ''].map(
              (head) => (
                <th key={head} scope="col">
                  {head || <span className="spoken">{words.revoke}</span>}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {nodes.map((key) => (
            <Row key={key.id} apiKey={key} />
          ))}
        </tbody>
      </table>
      <More rest={rest} />
    </>
  );
}

function Row({ apiKey }: { apiKey: AdminKey }) {
  const { id, name, prefix, scopes, expiresAt, lastUsedAt, lastUsedFrom, revokedAt, user } = apiKey;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) < Date.now();
  const revoke = useAct(async () => {
    await ask(RevokeKey, { id });
    say(words.revokedSays(name));
  }, [AdminKeys]);
  const ended = revokedAt ? words.revoked : isExpired ? words.expired : null;
  return (
    <tr>
      <th scope="row">
        <span dir="auto">{name}</span> <code>{prefix}…</code>
        {ended && <span className="badge">{ended}</span>}
        {revoke.error && <Problem error={revoke.error} />}
      </th>
      <td>{user?.name}</td>
      <td>{scopes.map((one) => words.keyScopes[one]).join(', ')}</td>
      <td>{expiresAt ? <Moment at={expiresAt} /> : words.neverEnds}</td>
      <td>
        {lastUsedAt ? (
          <>
            <Moment at={lastUsedAt} /> {lastUsedFrom && `${words.usedFrom} ${lastUsedFrom}`}
          </>
        ) : (
          words.neverUsed
        )}
      </td>
      <td>
        {!ended && (
          <span className="side-acts">
            <Rotating id={id} name={name} />
            <Sure
              label={words.revoke}
              of={name}
              means={words.revokeMeans}
              typed={name}
              isBusy={revoke.isPending}
              act={() => revoke.mutate()}
            />
          </span>
        )}
      </td>
    </tr>
  );
}

/** Hours in which the old key works, too, so that what uses it can change over. */
const overlapHours = 24;

function Rotating({ id, name }: { id: string; name: string }) {
  const rotate = useAct<void, RotateKeyData>(
    () => ask(RotateKey, { id, overlapHours }),
    [AdminKeys],
  );
  const key = rotate.data?.rotateApiKey?.key ?? '';
  return (
    <>
      <Sure
        label={words.replaceKey}
        of={name}
        means={words.replaceKeyMeans(overlapHours)}
        isBusy={rotate.isPending}
        act={() => rotate.mutate()}
      />
      {rotate.error && <Problem error={rotate.error} />}
      {key !== '' && (
        <ShownOnce
          title={words.keyReady}
          says={words.keyMade}
          copy={words.copyKey}
          secret={key}
          done={rotate.reset}
        />
      )}
    </>
  );
}
