// The settings: oneself, people, groups, teams, tags, properties, keys and notifications.

import { Link } from 'wouter';
import { useAddress } from '../asking/address.ts';
import { useViewer } from '../asking/viewer.ts';
import { Waiting } from '../parts/waiting.tsx';
import { useChosenInSight } from '../window/in-sight.ts';
import { adminWords as words } from '../words/admin.ts';
import { Keys } from './keys/keys.tsx';
import { Groups } from './members/groups.tsx';
import { Teams } from './members/teams.tsx';
import { People } from './people/people.tsx';
import { Profile } from './profile/profile.tsx';
import { Designs } from './properties/designs.tsx';
import { Rules } from './rules/rules.tsx';
import { Tags } from './tags/tags.tsx';
import { Webhooks } from './webhooks/webhooks.tsx';
import { Windows } from './windows/windows.tsx';

const parts = [
  { name: 'people', needs: 'manage_people', Shown: People },
  { name: 'groups', needs: 'manage_people', Shown: Groups },
  { name: 'teams', needs: 'manage_teams', Shown: Teams },
  { name: 'tags', needs: 'edit_tags', Shown: Tags },
  { name: 'properties', needs: 'edit_custom_properties', Shown: Designs },
  { name: 'keys', needs: 'manage_api_keys', Shown: Keys },
  { name: 'rules', needs: 'edit_monitors', Shown: Rules },
  { name: 'windows', needs: 'edit_monitors', Shown: Windows },
  { name: 'webhooks', needs: 'manage_webhooks', Shown: Webhooks },
  { name: 'profile', needs: null, Shown: Profile },
] as const;

/** The page; its address says which part is shown, and each only to who may change it. */
export function AdminPage() {
  const view = useAddress();
  const viewer = useViewer();
  const allowed = parts.filter(
    ({ needs }) => viewer && (needs === null || viewer.allowedActions.includes(needs)),
  );
  const shown = allowed.find(({ name }) => name === view.one('part')) ?? allowed[0];
  const around = useChosenInSight<HTMLElement>(shown?.name);
  return (
    <main className="page settings" id="main" tabIndex={-1}>
      {!shown && <Waiting lines={12} />}
      {shown && (
        <>
          <nav ref={around} aria-label={words.title}>
            {allowed.map(({ name }) => (
              <Link
                key={name}
                href={`/admin?part=${name}`}
                aria-current={name === shown.name ? 'page' : undefined}
              >
                {words.parts[name]}
              </Link>
            ))}
          </nav>
          <div key={shown.name}>
            <shown.Shown />
          </div>
        </>
      )}
    </main>
  );
}
