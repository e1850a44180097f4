// Metabase's REST interface: who signs in, and requests. No version of it is promised: each field may be missing.

import { z } from 'zod';
import type { NetworkReach } from '../../../network/reach.ts';
import { findWeb, parsed } from '../../http-sources/http-api.ts';
import { type HttpAnswer, keepAlive, send } from '../../http-sources/http-source.ts';
import { retrying } from '../../http-sources/retry.ts';
import { type DashboardSession, openDashboards } from '../dashboards.ts';
import { refused, SourceRefusal } from '../failure.ts';

/** Where it is, and who asks. */
export interface MetabaseLogin {
  readonly url: string;
  readonly auth: 'api_key' | 'password';
  readonly api_key: string;
  readonly user: string;
  readonly password: string;
  readonly ca?: string | undefined;
}

const name = 'Metabase';
const signedIn = z.object({ id: z.string().min(1) });

/** Sign in. `learn` is called with the session that is made; each request is answered within its milliseconds. */
export async function openMetabase(
  login: MetabaseLogin,
  reach: NetworkReach,
  learn: (secret: string) => void,
  signal: AbortSignal,
  requestMs: number,
): Promise<DashboardSession> {
  const source = keepAlive(await findWeb(login, reach));
  const base = `${new URL(login.url).pathname.replace(/\/+$/, '')}/api/`;
  const headers: Record<string, string> = { accept: 'application/json' };
  const ask = async (method: 'GET' | 'POST', path: string, body?: object): Promise<HttpAnswer> => {
    const rules = { isRepeatable: method === 'GET', deadline: Date.now() + requestMs, signal };
    const request = { method, path: `${base}${path}`, signal };
    const content = body
      ? { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
      : { headers };
    const answer = await retrying(() => send(source, { ...request, ...content }), rules);
    if (answer.status === 401) throw refused('the login is not accepted.');
    if (answer.status !== 200) throw new SourceRefusal(answer.body, `HTTP ${answer.status}`);
    return answer;
  };
  if (login.auth === 'api_key') headers['x-api-key'] = login.api_key.trim();
  else {
    const { user: username, password } = login;
    const { id } = parsed({ name }, signedIn, await ask('POST', 'session', { username, password }));
    learn(id);
    headers['x-metabase-session'] = id;
  }
  return openDashboards(name, source, (path) => ask('GET', path));
}
