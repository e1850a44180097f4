// People: who there is, what their role is, adding and deactivating them.

import { useState } from 'react';
import { Link } from 'wouter';
import { ask } from '../asking/ask.ts';
import { PeopleToChoose } from '../asking/choices.graphql';
import { useAct, useList } from '../asking/use-answer.ts';
import { useViewer } from '../asking/viewer.ts';
import { Problem } from '../parts/problem.tsx';
import { Sure } from '../parts/sure.tsx';
import { adminWords as words } from '../words/admin.ts';
import { atOnce, List } from './list.tsx';
import {
  AddPerson,
  type AddPersonVariables,
  AdminPeople,
  type AdminPerson,
  ChangePerson,
  type ChangePersonVariables,
} from './page.graphql';

const roles = ['admin', 'editor', 'viewer', 'guest'] as const;

/** All people, by name or address. */
export function People() {
  const [search, setSearch] = useState('');
  const [archived, setArchived] = useState(false);
  const asked = { search, archived };
  const list = useList(AdminPeople, asked, { atOnce, of: (data) => data.users });
  return (
    <>
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
      <List of={list}>{(person) => <Row person={person} />}</List>
      <Adding />
    </>
  );
}

function Row({ person }: { person: AdminPerson }) {
  const { id, version, name, email, role, title, archived } = person;
  const viewer = useViewer();
  const change = useAct(
    (input: ChangePersonVariables['input']) => ask(ChangePerson, { id, version, input }),
    [AdminPeople, PeopleToChoose],
  );
  return (
    <>
      <span className="of">
        <b>{name}</b> {viewer?.id === id && <span className="badge">{words.you}</span>}{' '}
        {archived && <span className="badge warning">{words.isDeactivated}</span>}
        <small>
          {email}
          {title && ` · ${title}`} ·{' '}
          <Link href={`/sessions?of=${id}`}>
            {words.sessions}
            <span className="spoken"> {words.ofWhat(name)}</span>
          </Link>
        </small>
        {change.error && <Problem error={change.error} />}
      </span>
      <select
        aria-label={words.roleOf(name)}
        value={role}
        disabled={archived || change.isPending}
        onChange={({ currentTarget }) => {
          const next = roles.find((one) => one === currentTarget.value);
          if (next) change.mutate({ role: next });
        }}
      >
        {roles.map((one) => (
          <option key={one} value={one}>
            {words.roles[one]}
          </option>
        ))}
      </select>
      {archived ? (
        <button
          type="button"
          disabled={change.isPending}
          onClick={() => change.mutate({ archived: false })}
        >
          {words.reactivate}
        </button>
      ) : (
        <Sure
          label={words.deactivate}
          of={name}
          means={words.deactivateMeans}
          isBusy={change.isPending}
          act={() => change.mutate({ archived: true })}
        />
      )}
    </>
  );
}

function Adding() {
  const [person, setPerson] = useState<AddPersonVariables['input']>({ email: '', role: 'viewer' });
  const add = useAct(() => ask(AddPerson, { input: person }), [AdminPeople, PeopleToChoose]);
  const field = (name: 'email' | 'firstName' | 'lastName') => (
    <label className="choice">
      <span>{words[name]}</span>
      <input
        type={name === 'email' ? 'email' : 'text'}
        required={name === 'email'}
        value={person[name] ?? ''}
        maxLength={255}
        onChange={({ currentTarget }) => setPerson({ ...person, [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <form
      className="sheet form below"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(undefined, { onSuccess: () => setPerson({ email: '', role: 'viewer' }) });
      }}
    >
      <h2>{words.addPerson}</h2>
      <div className="line-of-fields">
        {field('email')}
        {field('firstName')}
        {field('lastName')}
        <label className="choice">
          <span>{words.role}</span>
          <select
            value={person.role ?? 'viewer'}
            onChange={({ currentTarget }) =>
              setPerson({
                ...person,
                role: roles.find((one) => one === currentTarget.value) ?? 'viewer',
              })
            }
          >
            {roles.map((one) => (
              <option key={one} value={one}>
                {words.roles[one]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {add.error && <Problem error={add.error} />}
      <p>
        <button type="submit" className="main" disabled={add.isPending}>
          {words.add}
        </button>
      </p>
    </form>
  );
}
