// Form of a person: what an admin changes of one.

import { useState } from 'react';
import { Link } from 'wouter';
import { ask } from '../../asking/ask.ts';
import { PeopleToChoose } from '../../asking/choices.graphql';
import { type Form, useForm } from '../../asking/form.ts';
import { say, useUndoable } from '../../asking/undo.ts';
import { useAct } from '../../asking/use-answer.ts';
import { Choice } from '../../parts/choosing/choice.tsx';
import { FormActs } from '../../parts/form-acts.tsx';
import { Overtaken, Problem } from '../../parts/problem.tsx';
import { inviteWords, adminWords as words } from '../../words/admin.ts';
import { words as common } from '../../words.ts';
import { Deactivating } from './deactivating.tsx';
import { InvitationReady } from './invitation-ready.tsx';
import {
  AdminPeople,
  type AdminPerson,
  ChangePerson,
  InvitePerson,
  type InvitePersonData,
  RevokeInvitation,
} from './people.graphql';

const roles = ['admin', 'editor', 'viewer', 'guest'] as const;
const renewed = [AdminPeople, PeopleToChoose];

interface Described {
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly role?: (typeof roles)[number] | null | undefined;
}

interface FieldsProps<Value extends Described> {
  readonly value: Value;
  readonly write: Form<Value>['write'];
}

/** The fields of names and the role. */
export function PersonFields<Value extends Described>({ value, write }: FieldsProps<Value>) {
  const field = (name: 'firstName' | 'lastName' | 'title') => (
    <label className="choice">
      <span>{name === 'title' ? words.jobTitle : words[name]}</span>
      <input
        value={value[name] ?? ''}
        maxLength={255}
        onChange={({ currentTarget }) => write({ ...value, [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <>
      <div className="line-of-fields">
        {field('firstName')}
        {field('lastName')}
      </div>
      {field('title')}
      <Choice
        label={words.role}
        none={null}
        value={value.role ?? 'viewer'}
        choices={roles.map((id) => ({ id, name: words.roles[id] }))}
        choose={(id) => write({ ...value, role: roles.find((one) => one === id) ?? 'viewer' })}
      />
    </>
  );
}

/** The form of a person who is there. */
export function PersonForm({ person, close }: { person: AdminPerson; close: () => void }) {
  const { id, name, firstName, lastName, title, role, archived, invitedUntil } = person;
  const now = { firstName, lastName, title, role };
  const form = useForm<Described>(now);
  const act = useUndoable(renewed);
  const [isDeactivating, setDeactivating] = useState(false);
  const change = (says: string, input: Described & { archived?: boolean }, before: typeof input) =>
    act.mutate(
      {
        says,
        async act() {
          const { updateUser } = await ask(ChangePerson, { id, version: person.version, input });
          if (!updateUser) return null;
          return () => ask(ChangePerson, { id, version: updateUser.version, input: before });
        },
      },
      { onSuccess: close },
    );
  return (
    <>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          change(common.toast.saved(name), form.value, now);
        }}
      >
        <PersonFields value={form.value} write={form.write} />
        {form.isOvertaken && (
          <Overtaken take={form.drop}>
            {name} · {words.roles[role]}
          </Overtaken>
        )}
        <FormActs
          says={form.isOvertaken ? common.edit.saveAnyway : words.save}
          isOff={act.isPending}
          error={act.error}
          close={close}
        />
      </form>
      {invitedUntil && <Invited person={person} close={close} />}
      <p>
        <Link href={`/sessions?of=${id}`}>{words.sessionsOf(name)}</Link>
      </p>
      <p className="side-remove">
        {archived ? (
          <button
            type="button"
            onClick={() => change(words.reactivated(name), { archived: false }, { archived: true })}
          >
            {words.reactivate}
          </button>
        ) : (
          <button type="button" onClick={() => setDeactivating(true)}>
            {words.deactivate}
          </button>
        )}
      </p>
      {isDeactivating && (
        <Deactivating
          person={person}
          renewed={renewed}
          done={close}
          close={() => setDeactivating(false)}
        />
      )}
    </>
  );
}

/** An open invitation: another link in place of the one that was sent, or none any more. */
function Invited({
  person: { id, email, name },
  close,
}: {
  person: AdminPerson;
  close: () => void;
}) {
  const again = useAct<void, InvitePersonData>(
    () => ask(InvitePerson, { input: { email } }),
    renewed,
  );
  const revoke = useAct(async () => {
    await ask(RevokeInvitation, { id });
    say(inviteWords.revoked(name));
  }, renewed);
  const made = again.data?.inviteUser;
  const error = again.error ?? revoke.error;
  return (
    <section>
      <p className="side-acts">
        <button type="button" disabled={again.isPending} onClick={() => again.mutate()}>
          {inviteWords.newLink}
        </button>
        <button type="button" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
          {inviteWords.revoke}
        </button>
      </p>
      {error && <Problem error={error} />}
      {made && <InvitationReady invitation={made} teams={[]} again={again.reset} close={close} />}
    </section>
  );
}
