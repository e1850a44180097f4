// The admin page: people, groups, teams, tags, keys and notifications.

import { useAddress } from '../asking/address.ts';
import { useViewer } from '../asking/viewer.ts';
import { Page } from '../parts/page.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { useChosenInSight } from '../window/in-sight.ts';
import { adminWords as words } from '../words/admin.ts';
import { Groups } from './groups.tsx';
import { Keys } from './keys.tsx';
import { People } from './people.tsx';
import { Rules } from './rules.tsx';
import { Tags } from './tags.tsx';
import { Teams } from './teams.tsx';
import { Webhooks } from './webhooks.tsx';

const parts = [
  { name: 'people', needs: 'manage_people', Part: People },
  { name: 'groups', needs: 'manage_people', Part: Groups },
  { name: 'teams', needs: 'manage_teams', Part: Teams },
  { name: 'tags', needs: 'edit_tags', Part: Tags },
  { name: 'keys', needs: 'manage_api_keys', Part: Keys },
  { name: 'rules', needs: 'edit_monitors', Part: Rules },
  { name: 'webhooks', needs: 'manage_webhooks', Part: Webhooks },
] as const;

/** The page; its address says which part is shown, and each only to who may change it. */
export function AdminPage() {
  const view = useAddress();
  const viewer = useViewer();
  const allowed = parts.filter(({ needs }) => viewer?.allowedActions.includes(needs));
  const shown = allowed.find(({ name }) => name === view.one('part')) ?? allowed[0];
  const around = useChosenInSight<HTMLFieldSetElement>(shown?.name);
  return (
    <Page title={words.title}>
      {!viewer && <Waiting lines={12} />}
      {viewer && !shown && <p>{words.hidden}</p>}
      {shown && (
        <>
          <fieldset ref={around} className="tabs above">
            <legend className="spoken">{words.part}</legend>
            {allowed.map(({ name }) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === shown.name}
                onClick={() => view.change({ part: name })}
              >
                {words.parts[name]}
              </button>
            ))}
          </fieldset>
          <shown.Part />
        </>
      )}
    </Page>
  );
}
