// Metabase's REST interface: who signs in, and requests. No version of it is promised: each field may be missing.

import { z } from 'zod';
import { CatalogError } from '../../../errors.ts';
import { standingOf } from '../../../network/address.ts';
import { findHost, type NetworkReach } from '../../../network/reach.ts';
import {
  type HttpAnswer,
  type HttpSource,
  keepAlive,
  send,
} from '../../http-sources/http-source.ts';
import { retrying } from '../../http-sources/retry.ts';
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

/** An open way to ask. */
export interface MetabaseSession {
  /** What a path below `/api/` answers. Throws SourceRefusal for what it refuses. */
  get<Fields>(path: string, schema: z.ZodType<Fields>): Promise<Fields>;
  /** The same; null for what the login may not see, or what is not there. */
  find<Fields>(path: string, schema: z.ZodType<Fields>): Promise<Fields | null>;
  readonly link: HttpSource;
  close(): void;
}

const signedIn = z.object({ id: z.string().min(1) });

/** Sign in. `learn` is called with the session that is made; each request is answered within its milliseconds. */
export async function openMetabase(
  login: MetabaseLogin,
  reach: NetworkReach,
  learn: (secret: string) => void,
  signal: AbortSignal,
  requestMs: number,
): Promise<MetabaseSession> {
  const url = new URL(login.url);
  const isSecure = url.protocol === 'https:';
  const host = await findHost(url.hostname, reach);
  if (!isSecure && standingOf(host.address) === 'public') {
    throw refused('outside of private networks its address has to begin with https.');
  }
  const source = keepAlive({
    ...{ host, port: Number(url.port) || (isSecure ? 443 : 80), ca: login.ca },
    encryption: isSecure ? 'verify-full' : 'disable',
  });
  const base = `${url.pathname.replace(/\/+$/, '')}/api/`;
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
  const get = async <Fields>(path: string, schema: z.ZodType<Fields>) =>
    parsed(schema, await ask('GET', path));
  if (login.auth === 'api_key') headers['x-api-key'] = login.api_key.trim();
  else {
    const { user: username, password } = login;
    const { id } = parsed(signedIn, await ask('POST', 'session', { username, password }));
    learn(id);
    headers['x-metabase-session'] = id;
  }
  return {
    get,
    async find(path, schema) {
      try {
        return await get(path, schema);
      } catch (error) {
        const isHidden = error instanceof SourceRefusal && /^HTTP (400|403|404)$/.test(error.code);
        if (!isHidden || error instanceof CatalogError) throw error;
        return null;
      }
    },
    link: source,
    close: () => source.agent.destroy(),
  };
}

function parsed<Fields>(schema: z.ZodType<Fields>, { body }: HttpAnswer): Fields {
  try {
    return schema.parse(JSON.parse(body));
  } catch {
    throw refused('what it answers is not an answer of Metabase.');
  }
}
