// An invitation that was made: its link is shown once, to be sent to the person.

import { ask } from '../../asking/ask.ts';
import { say } from '../../asking/undo.ts';
import { useAct } from '../../asking/use-answer.ts';
import { Copy } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { adminWords, inviteWords as words } from '../../words/admin.ts';
import { AdminPeople, type InvitePersonData, RevokeInvitation } from './people.graphql';

interface ReadyProps {
  readonly invitation: NonNullable<InvitePersonData['inviteUser']>;
  /** Names of the teams that the person is in. */
  readonly teams: readonly string[];
  /** Invite another one. */
  readonly again: () => void;
  readonly close: () => void;
}

/** The dialog. */
export function InvitationReady({ invitation, teams, again, close }: ReadyProps) {
  const { user, code, expiresAt } = invitation;
  const revoke = useAct(async () => {
    await ask(RevokeInvitation, { id: user.id });
    say(words.revoked(user.name));
    close();
  }, [AdminPeople]);
  // Where one sets oneself up; the code stays in the browser, which sends nothing that follows #.
  const link = `${location.origin}/admin?part=profile#code=${code}`;
  return (
    <Dialog title={words.ready} close={close}>
      <p>{words.send(user.name, new Date(expiresAt))}</p>
      <p className="link-to-send">
        <input
          readOnly
          aria-label={words.link}
          value={link}
          // All of it, with its beginning in sight.
          onFocus={({ target }) => target.setSelectionRange(0, link.length, 'backward')}
        />
        <Copy label={words.copy} text={link} />
      </p>
      <dl className="facts-of">
        <div>
          <dt>{adminWords.role}</dt>
          <dd>{adminWords.roles[user.role]}</dd>
        </div>
        <div>
          <dt>{words.teams}</dt>
          <dd>{teams.length === 0 ? words.noTeams : teams.join(', ')}</dd>
        </div>
      </dl>
      {revoke.error && <Problem error={revoke.error} />}
      <footer>
        <button type="button" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
          {words.revoke}
        </button>
        <button type="button" onClick={again}>
          {words.another}
        </button>
        <button type="button" onClick={close}>
          {adminWords.done}
        </button>
      </footer>
    </Dialog>
  );
}
