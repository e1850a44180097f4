// Profile of the viewer: name, teams to join and leave, and API keys of one's own.

import { Link } from 'wouter';
import { ask } from '../../asking/ask.ts';
import { useForm } from '../../asking/form.ts';
import { useUndoable } from '../../asking/undo.ts';
import { useAnswer } from '../../asking/use-answer.ts';
import { ViewerOfKey } from '../../asking/viewer.graphql';
import { useMay, useViewer } from '../../asking/viewer.ts';
import { useTitle } from '../../parts/page.tsx';
import { Overtaken, Problem } from '../../parts/problem.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { adminWords as words } from '../../words/admin.ts';
import { words as common } from '../../words.ts';
import { KeyHead, KeyList } from '../keys/keys.tsx';
import {
  ChangeOwnProfile,
  JoinTeam,
  LeaveTeam,
  OwnProfile,
  type OwnProfileData,
  TeamsToJoin,
} from './profile.graphql';

/** The profile. */
export function Profile() {
  useTitle(words.parts.profile);
  const viewer = useViewer();
  const mayTakePart = useMay('take_part');
  const mayMakeKeys = useMay('make_own_api_keys');
  const { data, error } = useAnswer(
    OwnProfile,
    { id: viewer?.id ?? '' },
    { isWanted: viewer !== undefined },
  );
  return (
    <>
      <header className="part-head">
        <h1>{words.parts.profile}</h1>
      </header>
      {error && <Problem error={error} />}
      {!data && !error && <Waiting lines={6} />}
      {data?.user && <ProfileForm user={data.user} mayChange={mayTakePart} />}
      {viewer && mayTakePart && <TeamsOf id={viewer.id} />}
      {viewer && mayMakeKeys && (
        <section className="profile-part">
          <KeyHead of={viewer.id}>
            <h2>{words.myKeys}</h2>
          </KeyHead>
          <KeyList of={viewer.id} />
        </section>
      )}
      <p>
        <Link href="/sessions">{words.mySessions}</Link>
      </p>
    </>
  );
}

type Own = NonNullable<OwnProfileData['user']>;

function ProfileForm({ user, mayChange }: { user: Own; mayChange: boolean }) {
  const { id, version, firstName, lastName, title, emailNotifications } = user;
  const now = { firstName, lastName, title, emailNotifications };
  const form = useForm(now);
  const act = useUndoable([OwnProfile, ViewerOfKey]);
  const { value, write } = form;
  const field = (name: 'firstName' | 'lastName' | 'title') => (
    <label className="choice">
      <span>{name === 'title' ? words.jobTitle : words[name]}</span>
      <input
        value={value[name] ?? ''}
        maxLength={255}
        readOnly={!mayChange}
        onChange={({ currentTarget }) => write({ ...value, [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate(
          {
            says: words.profileSaved,
            async act() {
              const { updateUser } = await ask(ChangeOwnProfile, { id, version, input: value });
              if (!updateUser) return null;
              const back = { id, version: updateUser.version, input: now };
              return () => ask(ChangeOwnProfile, back);
            },
          },
          { onSuccess: form.drop },
        );
      }}
    >
      <div className="line-of-fields">
        {field('firstName')}
        {field('lastName')}
        {field('title')}
      </div>
      {mayChange && (
        <label className="radio">
          <input
            type="checkbox"
            checked={value.emailNotifications}
            onChange={({ currentTarget: { checked } }) =>
              write({ ...value, emailNotifications: checked })
            }
          />
          {words.byEmail}
        </label>
      )}
      {form.isOvertaken && (
        <Overtaken take={form.drop}>
          {firstName} {lastName}
        </Overtaken>
      )}
      {act.error && <Problem error={act.error} />}
      {mayChange && (
        <p className="side-acts">
          <button type="submit" className="main" disabled={act.isPending}>
            {form.isOvertaken ? common.edit.saveAnyway : words.save}
          </button>
        </p>
      )}
    </form>
  );
}

type Membership = (team: string) => Promise<unknown>;

/** The teams that the viewer knows of, each with what joins or leaves it. */
function TeamsOf({ id }: { id: string }) {
  const { data, error } = useAnswer(TeamsToJoin, {});
  const act = useUndoable([TeamsToJoin]);
  if (error) return <Problem error={error} />;
  const teams = data?.teams.nodes ?? [];
  const join = (team: string) => ask(JoinTeam, { id: team });
  const leave = (team: string) => ask(LeaveTeam, { id: team });
  const change = (says: string, does: Membership, inverse: Membership, team: string) =>
    act.mutate({
      says,
      async act() {
        await does(team);
        return () => inverse(team);
      },
    });
  return (
    <section className="profile-part">
      <h2>{words.parts.teams}</h2>
      {act.error && <Problem error={act.error} />}
      <table className="settings-list" aria-label={words.parts.teams}>
        <tbody>
          {teams.map(({ id: team, name, description, type, memberIds }) => {
            const isIn = memberIds.includes(id);
            return (
              <tr key={team}>
                <th scope="row" dir="auto">
                  {name} {isIn && <span className="badge good">{words.isMember}</span>}
                </th>
                <td dir="auto">{description}</td>
                <td>
                  {isIn ? (
                    <button
                      type="button"
                      onClick={() => change(words.left(name), leave, join, team)}
                    >
                      {words.leave}
                      <span className="spoken"> {name}</span>
                    </button>
                  ) : (
                    type === 'OPEN' && (
                      <button
                        type="button"
                        onClick={() => change(words.joined(name), join, leave, team)}
                      >
                        {words.join}
                        <span className="spoken"> {name}</span>
                      </button>
                    )
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
