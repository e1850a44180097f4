// Metabase as a live source: what it shows, and where the data of it comes from.

import { z } from 'zod';
import { invalid } from '../../../errors.ts';
import { scrubberOf } from '../../../secrets/redaction.ts';
import type { Credentials } from '../../credentials.ts';
import { type ConnectionCheck, type Connector, found, reportOf } from '../connector.ts';
import { failedConnection, sourceFailure } from '../failure.ts';
import type { LiveSource } from '../live-source.ts';
import { readFields, shownNames } from '../read-fields.ts';
import { encryptionCheck } from '../tls.ts';
import { extractMetabase } from './catalog.ts';
import { metabase } from './manifest.ts';
import { openMetabase } from './requests.ts';

const properties = z.object({ version: z.object({ tag: z.string().nullish() }).nullish() });
const some = z.array(z.unknown());
/** People wait for a test. */
const testMs = 10_000;
const readMs = 120_000;

/** A server of Metabase, as one of its groups sees it. */
export function openMetabaseConnector({ reach }: LiveSource, credentials: Credentials): Connector {
  const login = readFields(metabase.credentials, credentials);
  const scrub = scrubberOf(credentials, shownNames(metabase.credentials));
  const open = (signal: AbortSignal, requestMs: number) =>
    openMetabase(login, reach, scrub.also, signal, requestMs);
  const worded = (error: unknown, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    return sourceFailure(error, scrub, '');
  };
  return {
    dialect: null,
    async test() {
      const checks: ConnectionCheck[] = [];
      try {
        const session = await open(AbortSignal.timeout(60_000), testMs);
        try {
          const said = await session.find('session/properties', properties);
          const version = `Metabase ${said?.version?.tag ?? ''}`.trim();
          checks.push(
            found('connection', `Connected to ${version}.`),
            encryptionCheck(session.link),
          );
          const cards = await session.get('card?f=all', some);
          checks.push(cardsCheck(cards.length));
          return reportOf(version, checks);
        } finally {
          session.close();
        }
      } catch (error) {
        return reportOf(null, [...checks, failedConnection(worded(error))]);
      }
    },
    async *extract({ note, signal = new AbortController().signal }) {
      try {
        const session = await open(signal, readMs);
        try {
          yield* extractMetabase(session, login.url, note);
        } finally {
          session.close();
        }
      } catch (error) {
        throw worded(error, signal);
      }
    },
    async query() {
      throw invalid('Metabase is not asked by SQL: measure the tables that it reads.');
    },
    async close() {},
  };
}

function cardsCheck(count: number): ConnectionCheck {
  if (count > 0) return found('questions', `${count} questions can be seen.`);
  return {
    ...{ name: 'questions', state: 'limited', message: 'The login sees no question.' },
    fix: 'Give the group of the login the right to view the collections that are to be read.',
  };
}
