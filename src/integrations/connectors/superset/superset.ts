// Superset as a live source: what it shows, and where the data of it comes from.

import { scrubberOf } from '../../../secrets/redaction.ts';
import type { Credentials } from '../../credentials.ts';
import { type ConnectionCheck, type Connector, found } from '../connector.ts';
import { assembleDashboards } from '../dashboards.ts';
import type { LiveSource } from '../live-source.ts';
import { readFields, shownNames } from '../read-fields.ts';
import { extractSuperset } from './catalog.ts';
import { superset } from './manifest.ts';
import { countOf, openSuperset } from './requests.ts';

/** A server of Superset, as one of its roles sees it. */
export function openSupersetConnector({ reach }: LiveSource, credentials: Credentials): Connector {
  const login = readFields(superset.credentials, credentials);
  const scrub = scrubberOf(credentials, shownNames(superset.credentials));
  return assembleDashboards({
    name: 'Superset',
    scrub,
    open: (signal, requestMs) => openSuperset(login, reach, scrub.also, signal, requestMs),
    async look(session) {
      const charts = await countOf(session, 'chart');
      const datasets = await countOf(session, 'dataset');
      const databases = await countOf(session, 'database');
      const checks = [seenCheck(charts, datasets), databasesCheck(databases)];
      return { version: 'Superset', checks };
    },
    extract: (session, note) => extractSuperset(session, login.url, note),
  });
}

function seenCheck(charts: number, datasets: number): ConnectionCheck {
  if (charts > 0 && datasets > 0) {
    return found('charts', `${charts} charts and ${datasets} datasets can be seen.`);
  }
  const missing = charts > 0 ? 'dataset, so that lineage is missing' : 'chart';
  return {
    ...{ name: 'charts', state: 'limited', message: `The login sees no ${missing}.` },
    fix: 'Give its role "can read" on Dashboard, Chart and Dataset, and "all datasource access".',
  };
}

function databasesCheck(databases: number): ConnectionCheck {
  if (databases > 0) return found('databases', `${databases} databases can be seen.`);
  return {
    ...{ name: 'databases', state: 'limited' },
    message:
      'The login sees no database: tables of equal names in several of them are not told apart.',
    fix: 'Give its role "can read on Database" and "all database access".',
  };
}
