// Metabase as a live source: what it shows, and where the data of it comes from.

import { z } from 'zod';
import { scrubberOf } from '../../../secrets/redaction.ts';
import type { Credentials } from '../../credentials.ts';
import { type ConnectionCheck, type Connector, found } from '../connector.ts';
import { assembleDashboards } from '../dashboards.ts';
import type { LiveSource } from '../live-source.ts';
import { readFields, shownNames } from '../read-fields.ts';
import { extractMetabase } from './catalog.ts';
import { metabase } from './manifest.ts';
import { openMetabase } from './requests.ts';

const properties = z.object({ version: z.object({ tag: z.string().nullish() }).nullish() });
const some = z.array(z.unknown());

/** A server of Metabase, as one of its groups sees it. */
export function openMetabaseConnector({ reach }: LiveSource, credentials: Credentials): Connector {
  const login = readFields(metabase.credentials, credentials);
  const scrub = scrubberOf(credentials, shownNames(metabase.credentials));
  return assembleDashboards({
    name: 'Metabase',
    scrub,
    open: (signal, requestMs) => openMetabase(login, reach, scrub.also, signal, requestMs),
    async look(session) {
      const said = await session.find('session/properties', properties);
      const cards = await session.get('card?f=all', some);
      const version = `Metabase ${said?.version?.tag ?? ''}`.trim();
      return { version, checks: [cardsCheck(cards.length)] };
    },
    extract: (session, note) => extractMetabase(session, login.url, note),
  });
}

function cardsCheck(count: number): ConnectionCheck {
  if (count > 0) return found('questions', `${count} questions can be seen.`);
  return {
    ...{ name: 'questions', state: 'limited', message: 'The login sees no question.' },
    fix: 'Give the group of the login the right to view the collections that are to be read.',
  };
}
