// Runs a statement on Trino: it is posted, and its answer fetched page by page.

import { z } from 'zod';
import type { Host } from '../../../network/reach.ts';
import { basicAuth, type HttpSource, keepAlive, send } from '../../http-sources/http-source.ts';
import { retrying } from '../../http-sources/retry.ts';
import type { RunSession } from '../assemble.ts';
import { answerTooLarge, maxAnswerBytes } from '../byte-limit.ts';
import { refused, SourceRefusal, tooSlow } from '../failure.ts';
import { type EncryptionSetting, encryptionOverHttp } from '../tls.ts';

/** How to log in, and where names without a catalog lie. */
export interface TrinoLogin {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly catalog: string;
  readonly schema?: string | undefined;
  readonly ssl: EncryptionSetting;
  readonly ca?: string | undefined;
}

const page = z.object({
  id: z.string().optional(),
  nextUri: z.string().optional(),
  data: z.array(z.array(z.unknown())).optional(),
  error: z.object({ message: z.string(), errorName: z.string().optional() }).optional(),
});

/** Each statement is a query of its own: there is nothing to keep but the connection to the address. */
export function openTrino(host: Host, login: TrinoLogin, signal: AbortSignal): RunSession {
  signal.throwIfAborted();
  const cutting = new AbortController();
  // A password is only taken over HTTPS, and the usual ports of HTTPS speak nothing else.
  const isPreferred = login.password !== '' || login.port === 443 || login.port === 8443;
  const encryption = encryptionOverHttp(login.ssl, host, isPreferred);
  const source = keepAlive({ host, port: login.port, encryption, ca: login.ca });
  return {
    lasts: true,
    link: source,
    destroy() {
      cutting.abort();
      source.agent.destroy();
    },
    async run(sql, timeoutMs) {
      const rows: unknown[][] = [];
      let next: string | null = '/v1/statement';
      let bytes = 0;
      let isDone = false;
      try {
        for (let method: 'POST' | 'GET' = 'POST'; next !== null; method = 'GET') {
          const { body, read } = await fetchPage(source, login, {
            method,
            path: next,
            ...(method === 'POST' ? { body: sql } : {}),
            timeoutMs,
            signal: cutting.signal,
          });
          bytes += body.length;
          if (bytes > maxAnswerBytes) throw answerTooLarge();
          if (read.error) throw failureIn(read.error, timeoutMs);
          for (const row of read.data ?? []) rows.push(row);
          // Only the path is taken: where a server says that it lies was never checked.
          next = read.nextUri ? pathOf(read.nextUri) : null;
        }
        isDone = true;
        return { rows };
      } finally {
        if (!isDone && next !== null && next !== '/v1/statement') void cancel(source, login, next);
      }
    },
  };
}

interface Step {
  readonly method: 'POST' | 'GET';
  readonly path: string;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function fetchPage(source: HttpSource, login: TrinoLogin, step: Step) {
  const headers = headersOf(login, step.timeoutMs);
  const answer = await retrying(() => send(source, { ...step, headers }), {
    isRepeatable: step.method === 'GET',
    deadline: Date.now() + step.timeoutMs,
    signal: step.signal,
    // A statement that is refused so has not begun.
    judge: ({ status }) => ([502, 503, 504].includes(status) ? 'again' : undefined),
  });
  if (answer.status === 401 || answer.status === 403) throw refused('the login is not accepted.');
  if (answer.status !== 200) throw new SourceRefusal(answer.body, `HTTP ${answer.status}`);
  return { body: answer.body, read: parsePage(answer.body) };
}

function parsePage(body: string) {
  try {
    return page.parse(JSON.parse(body));
  } catch {
    throw refused('what it answers is not an answer of Trino.');
  }
}

function headersOf(login: TrinoLogin, timeoutMs: number): Readonly<Record<string, string>> {
  const seconds = Math.max(1, Math.ceil(timeoutMs / 1_000));
  return {
    ...basicAuth(login.user, login.password),
    'content-type': 'text/plain; charset=utf-8',
    'x-trino-user': encodeURIComponent(login.user),
    'x-trino-source': 'headwater',
    'x-trino-catalog': encodeURIComponent(login.catalog),
    ...(login.schema ? { 'x-trino-schema': encodeURIComponent(login.schema) } : {}),
    'x-trino-time-zone': 'UTC',
    'x-trino-session': `query_max_run_time=${seconds}s`,
  };
}

function failureIn(
  { message, errorName }: { message: string; errorName?: string | undefined },
  ms: number,
) {
  const isLate = errorName === 'EXCEEDED_TIME_LIMIT';
  return isLate ? tooSlow('The query', ms) : new SourceRefusal(message, errorName ?? 'Trino');
}

function pathOf(uri: string): string {
  const url = URL.canParse(uri) ? new URL(uri) : null;
  if (!url?.pathname.startsWith('/v1/statement/')) {
    throw refused('it names a next page that is none.');
  }
  return `${url.pathname}${url.search}`;
}

/** Ask the server to stop what no one waits for any more. */
async function cancel(source: HttpSource, login: TrinoLogin, path: string): Promise<void> {
  const headers = headersOf(login, 1_000);
  const signal = AbortSignal.timeout(5_000);
  // It stops by itself after its time: whether it received that does not matter.
  // The session's own connection is closed by now.
  const apart = { ...source, agent: undefined };
  await send(apart, { method: 'DELETE', path, headers, signal }).catch(() => {});
}
