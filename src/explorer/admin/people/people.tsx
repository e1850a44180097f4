// People: who there is, what their role is, adding, changing and deactivating them.

import { useState } from 'react';
import { useList } from '../../asking/use-answer.ts';
import { useViewer } from '../../asking/viewer.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { inviteWords, adminWords as words } from '../../words/admin.ts';
import { words as common } from '../../words.ts';
import { atOnce, Part } from '../part.tsx';
import { Inviting } from './inviting.tsx';
import { AdminPeople, type AdminPerson } from './people.graphql';
import { PersonForm } from './person-form.tsx';

/** All people, by name or address. */
export function People() {
  const viewer = useViewer();
  const [search, setSearch] = useState('');
  const [archived, setArchived] = useState(false);
  const asked = { search, archived };
  const list = useList(AdminPeople, asked, { atOnce, of: (data) => data.users });
  return (
    <Part
      title={words.parts.people}
      list={list}
      makes={inviteWords.invitePeople}
      heads={[words.email, words.role, words.status]}
      mark={({ name }) => <Avatar name={name} />}
      beside={({ id }) => viewer?.id === id && <span className="badge">{words.you}</span>}
      cells={(person) => [
        person.email,
        words.roles[person.role],
        <Status key="status" of={person} />,
      ]}
      none={common.choose.noMatches}
      above={
        <search className="filters">
          <label className="choice">
            <span>{words.find}</span>
            <input
              type="search"
              value={search}
              maxLength={200}
              onChange={({ currentTarget }) => setSearch(currentTarget.value)}
            />
          </label>
          <label className="radio">
            <input
              type="checkbox"
              checked={archived}
              onChange={({ currentTarget }) => setArchived(currentTarget.checked)}
            />
            {words.deactivated}
          </label>
        </search>
      }
      form={(person, close) =>
        person ? <PersonForm person={person} close={close} /> : <Inviting close={close} />
      }
    />
  );
}

function Status({ of: { archived, invitedUntil } }: { of: AdminPerson }) {
  if (archived) return <span className="badge">{words.isDeactivated}</span>;
  if (!invitedUntil) return <span className="badge good">{words.isActive}</span>;
  const days = Math.ceil((Date.parse(invitedUntil) - Date.now()) / 86_400_000);
  return <span className="badge warning">{inviteWords.invited(days)}</span>;
}
