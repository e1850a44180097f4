// A catalog with nothing in it yet: what to do first, for who may do it.

import { Link } from 'wouter';
import { useViewer } from '../asking/viewer.ts';
import { homeWords as words } from '../words/home.ts';

const steps = [
  { name: 'connect', href: '/imports/new', needs: 'manage_integrations' },
  { name: 'watch', href: '/monitors/new', needs: 'edit_monitors' },
  { name: 'invite', href: '/admin?part=people', needs: 'manage_people' },
] as const;

/** The first steps; whom to ask where there is none to take. */
export function Beginning() {
  const viewer = useViewer();
  const allowed = steps.filter(({ needs }) => viewer?.allowedActions.includes(needs));
  const mayConnect = allowed.some(({ name }) => name === 'connect');
  return (
    <section className="sheet">
      <h2>{words.empty}</h2>
      {viewer?.role === 'guest' && <p>{words.emptyForGuests}</p>}
      {viewer && viewer.role !== 'guest' && !mayConnect && <p>{words.emptyForOthers}</p>}
      {mayConnect && (
        <>
          <ol className="steps">
            {allowed.map(({ name, href }) => (
              <li key={name}>
                <Link href={href}>{words.steps[name].title}</Link>
                <p className="quiet">{words.steps[name].how}</p>
              </li>
            ))}
          </ol>
          <p className="quiet">
            {words.sample} <code>npm run demo</code>
          </p>
        </>
      )}
    </section>
  );
}
