// Sessions of the viewer: end one, or sign out everywhere.

import { useAddress } from '../asking/address.ts';
import { ask } from '../asking/ask.ts';
import { signOut } from '../asking/key.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { useMay, useViewer } from '../asking/viewer.ts';
import { ChoosePerson } from '../parts/choosing/choose.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Sure } from '../parts/sure.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { browserOf, methodName, sessionWords as words } from '../words/sign-in/sessions.ts';
import {
  EndSession,
  EndSessions,
  OwnSessions,
  type SessionRow,
  SessionsOfPerson,
} from './page.graphql';

/** The page; its address says whose sessions an admin looks at. */
export function SessionsPage() {
  const view = useAddress();
  const viewer = useViewer();
  const mayManage = useMay('manage_people');
  const of = view.one('of');
  const isOther = mayManage && of !== '' && of !== viewer?.id;
  return (
    <Page title={words.title}>
      <p className="quiet">{words.hint}</p>
      {!viewer && <Waiting lines={4} />}
      {mayManage && (
        <search className="filters" aria-label={words.whose}>
          <ChoosePerson
            label={words.whose}
            none={null}
            me={words.me}
            value={isOther ? of : (viewer?.id ?? '')}
            choose={(id) => view.change({ of: id === viewer?.id ? null : id })}
          />
        </search>
      )}
      {viewer && (isOther ? <Others key={of} id={of} /> : <Own />)}
    </Page>
  );
}

function Own() {
  const { data, error, refetch } = useAnswer(OwnSessions, {});
  if (error && !data) return <Problem error={error} again={() => void refetch()} />;
  if (!data) return <Waiting lines={4} />;
  return <Sessions sessions={data.mySessions} userId={null} />;
}

function Others({ id }: { id: string }) {
  const { data, error, refetch } = useAnswer(SessionsOfPerson, { id });
  if (error && !data) return <Problem error={error} again={() => void refetch()} />;
  if (!data) return <Waiting lines={4} />;
  if (!data.user || !data.sessions) return <p>{words.notFound}</p>;
  return (
    <>
      <h2>{words.of(data.user.name)}</h2>
      <Sessions sessions={data.sessions} userId={id} />
    </>
  );
}

interface SessionsProps {
  readonly sessions: readonly SessionRow[];
  /** Whose they are; null for the viewer's own. */
  readonly userId: string | null;
}

function Sessions({ sessions, userId }: SessionsProps) {
  const end = useAct(() => ask(EndSessions, { userId }), [OwnSessions, SessionsOfPerson]);
  if (sessions.length === 0) return <p className="quiet">{words.none}</p>;
  const isHere = sessions.some(({ isCurrent }) => isCurrent);
  return (
    <>
      <ul className="monitors">
        {sessions.map((session) => (
          <li key={session.id}>
            <Row session={session} />
          </li>
        ))}
      </ul>
      {end.error && <Problem error={end.error} />}
      <p className="acts">
        <Sure
          label={words.endAll}
          means={words.endAllMeans}
          isBusy={end.isPending}
          act={() => end.mutate(undefined, { onSuccess: () => isHere && signOut() })}
        />
      </p>
    </>
  );
}

function Row({ session }: { session: SessionRow }) {
  const { id, method, userAgent, createdAt, lastUsedAt, expiresAt, isCurrent } = session;
  const end = useAct(() => ask(EndSession, { id }), [OwnSessions, SessionsOfPerson]);
  return (
    <>
      <span className="of">
        <b>{browserOf(userAgent)}</b> {isCurrent && <span className="badge">{words.here}</span>}
        <small>
          {methodName(method)} · {words.since} <Moment at={createdAt} /> · {words.used}{' '}
          <Moment at={lastUsedAt} /> · {words.ends} <Moment at={expiresAt} />
        </small>
        {end.error && <Problem error={end.error} />}
      </span>
      <button
        type="button"
        disabled={end.isPending}
        onClick={() => end.mutate(undefined, { onSuccess: () => isCurrent && signOut() })}
      >
        {words.end}
        <span className="spoken"> {browserOf(userAgent)}</span>
      </button>
    </>
  );
}
