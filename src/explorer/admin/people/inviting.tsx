// Inviting a person: by a link that signs them in once, or without one where they sign in by a provider.

import { useState } from 'react';
import { ask } from '../../asking/ask.ts';
import { PeopleToChoose, TeamsToChoose } from '../../asking/choices.graphql';
import { useForm } from '../../asking/form.ts';
import { say } from '../../asking/undo.ts';
import { useAct, useAnswer } from '../../asking/use-answer.ts';
import { Choice } from '../../parts/choosing/choice.tsx';
import { byName } from '../../parts/choosing/choosable.ts';
import { ChooseSeveral } from '../../parts/choosing/choose.tsx';
import { FormActs } from '../../parts/form-acts.tsx';
import { adminWords, inviteWords as words } from '../../words/admin.ts';
import { words as common } from '../../words.ts';
import { InvitationReady } from './invitation-ready.tsx';
import {
  AddPerson,
  AdminPeople,
  InvitePerson,
  type InvitePersonData,
  type InvitePersonVariables,
} from './people.graphql';
import { PersonFields } from './person-form.tsx';

type Invited = InvitePersonVariables['input'];

const notInvited: Invited = { email: '', role: 'viewer', expiresInHours: 168 };

/** The form, and the link once it is made. */
export function Inviting({ close }: { close: () => void }) {
  const form = useForm(notInvited);
  const [hasLink, setHasLink] = useState(true);
  const teams = useAnswer(TeamsToChoose, {}).data?.teams.nodes ?? [];
  const { value, write } = form;
  const invite = useAct<void, InvitePersonData | null>(async () => {
    if (hasLink) return ask(InvitePerson, { input: value });
    const { teamIds: _teams, expiresInHours: _hours, ...input } = value;
    await ask(AddPerson, { input });
    return null;
  }, [AdminPeople, PeopleToChoose]);
  const made = invite.data?.inviteUser;
  if (made) {
    const again = () => {
      form.drop();
      invite.reset();
    };
    const names = teams.filter(({ id }) => value.teamIds?.includes(id)).map(({ name }) => name);
    return <InvitationReady invitation={made} teams={names} again={again} close={close} />;
  }
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate(undefined, {
          onSuccess: (link) => {
            if (link) return;
            say(common.toast.created(value.email));
            close();
          },
        });
      }}
    >
      <label className="choice">
        <span>{adminWords.email}</span>
        <input
          type="email"
          required
          maxLength={254}
          value={value.email}
          onChange={({ currentTarget }) => write({ ...value, email: currentTarget.value })}
        />
      </label>
      <PersonFields value={value} write={write} />
      <label className="radio">
        <input
          type="checkbox"
          checked={hasLink}
          onChange={({ currentTarget }) => setHasLink(currentTarget.checked)}
        />
        {words.withLink}
      </label>
      {hasLink && (
        <>
          <ChooseSeveral
            label={words.teams}
            choices={byName(teams)}
            chosen={value.teamIds ?? []}
            set={(teamIds) => write({ ...value, teamIds: [...teamIds] })}
          />
          <Choice
            label={words.works}
            none={null}
            value={String(value.expiresInHours)}
            choices={[24, 72, 168, 720].map((hours) => ({
              id: String(hours),
              name: words.days(hours / 24),
            }))}
            choose={(hours) => write({ ...value, expiresInHours: Number(hours) })}
          />
        </>
      )}
      <FormActs
        says={hasLink ? words.invite : words.add}
        isOff={invite.isPending}
        error={invite.error}
        close={close}
      />
    </form>
  );
}
