// Superset's REST interface: who signs in, requests, and the pages of lists.

import { z } from 'zod';
import type { NetworkReach } from '../../../network/reach.ts';
import { askApi, findWeb, type HttpApi, jsonIn } from '../../http-sources/http-api.ts';
import { keepAlive, send } from '../../http-sources/http-source.ts';
import { retrying } from '../../http-sources/retry.ts';
import { tokenCache } from '../../http-sources/token-cache.ts';
import { type DashboardSession, openDashboards } from '../dashboards.ts';
import { refused, SourceRefusal } from '../failure.ts';

/** Where it is, and who asks. */
export interface SupersetLogin {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly provider: 'db' | 'ldap';
  readonly ca?: string | undefined;
}

const name = 'Superset';
const signedIn = z.object({ access_token: z.string().min(1) });
/** A token lasts 15 minutes where nothing else is set; one that ended before is made again. */
const lifeMs = 15 * 60_000;

/** Open a session. `learn` is called with each token; each request is answered within its milliseconds. */
export async function openSuperset(
  login: SupersetLogin,
  reach: NetworkReach,
  learn: (secret: string) => void,
  signal: AbortSignal,
  requestMs: number,
): Promise<DashboardSession> {
  const source = keepAlive(await findWeb(login, reach));
  const base = `${new URL(login.url).pathname.replace(/\/+$/, '')}/api/v1/`;
  const mint = async (minting: AbortSignal) => {
    const { user: username, password, provider } = login;
    const body = JSON.stringify({ username, password, provider, refresh: false });
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const request = { method: 'POST' as const, path: `${base}security/login`, headers, body };
    const rules = { isRepeatable: true, deadline: Date.now() + requestMs, signal: minting };
    const answer = await retrying(() => send(source, { ...request, signal: minting }), rules);
    const { data } = signedIn.safeParse(jsonIn(answer.body));
    if (answer.status === 200 && data) return { token: data.access_token, lifeMs };
    if (answer.status === 200) throw refused(`what it answers is not an answer of ${name}.`);
    throw answer.status === 401
      ? refused('the login is not accepted: check user, password and provider.')
      : new SourceRefusal(answer.body, `HTTP ${answer.status}`);
  };
  const api: HttpApi = {
    ...{ name, tokens: tokenCache(mint, learn), find: async () => source },
    // A token of a key that was changed since is not 401.
    judge: ({ status }) => (status === 422 ? 'renew' : undefined),
    refusal: ({ status, body }) =>
      status === 401
        ? refused('the login is not accepted.')
        : new SourceRefusal(body, `HTTP ${status}`),
  };
  return openDashboards(name, source, (path) =>
    askApi(
      { api, source, signal, deadline: Date.now() + requestMs },
      { method: 'GET', path: `${base}${path}` },
    ),
  );
}

const pageSize = 100;
const mostPages = 100_000;
const counted = z.object({ count: z.number() });

/** How many there are of something. */
export async function countOf(session: DashboardSession, what: string): Promise<number> {
  const found = await session.find(
    `${what}/?q=${encodeURIComponent('(page:0,page_size:1)')}`,
    counted,
  );
  return found?.count ?? 0;
}

/**
 * All of a list, each once, in the order of a column; none where the login may not read it. How many there are on a page is
 * for the server to say, whatever is asked for.
 */
export async function* listed<Item extends { id: number }>(
  session: DashboardSession,
  what: string,
  orderedBy: string,
  item: z.ZodType<Item>,
): AsyncGenerator<Item> {
  const page = z.object({ count: z.number(), result: z.array(item) });
  const met = new Set<number>();
  let read = 0;
  for (let at = 0; at < mostPages; at += 1) {
    const query = `(order_column:${orderedBy},order_direction:asc,page:${at},page_size:${pageSize})`;
    const found = await session.find(`${what}/?q=${encodeURIComponent(query)}`, page);
    for (const one of found?.result ?? []) {
      if (!met.has(one.id)) yield one;
      met.add(one.id);
    }
    read += found?.result.length ?? 0;
    if (!found || found.result.length === 0 || read >= found.count) return;
  }
}
