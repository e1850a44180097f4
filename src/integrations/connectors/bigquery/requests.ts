// BigQuery's REST interface: who signs in, and what its answers mean.

import { z } from 'zod';
import type { NetworkReach } from '../../../network/reach.ts';
import { findSource, type HttpApi, jsonIn } from '../../http-sources/http-api.ts';
import type { HttpAnswer } from '../../http-sources/http-source.ts';
import type { Repetition } from '../../http-sources/retry.ts';
import { serviceAccountTokens } from '../../http-sources/service-account-token.ts';
import { SourceRefusal } from '../failure.ts';
import type { EncryptionSetting } from '../tls.ts';

/** Where the interface is, and by whom it is asked. */
export interface BigQueryPlace {
  readonly project: string;
  readonly service_account: string;
  readonly host?: string | undefined;
  readonly port: number;
  readonly ssl: EncryptionSetting;
  readonly ca?: string | undefined;
}

const failure = z.object({
  error: z.object({
    message: z.string().default(''),
    status: z.string().optional(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
});

const scope = 'https://www.googleapis.com/auth/bigquery';
const usualHost = 'bigquery.googleapis.com';

/** What the paths of a project begin with. */
export const projectPath = (project: string) =>
  `/bigquery/v2/projects/${encodeURIComponent(project)}`;

/** The interface of a service account. Throws BAD_REQUEST for a file that is none. */
export function bigQueryApi(
  place: BigQueryPlace,
  reach: NetworkReach,
  learn: (secret: string) => void,
): HttpApi {
  const own = { ...place, host: place.host ?? usualHost };
  const tokens = serviceAccountTokens({ file: place.service_account, scope, own }, reach, learn);
  return {
    ...{ name: 'BigQuery', tokens, find: () => findSource(own, reach) },
    judge,
    refusal: (answer) =>
      new SourceRefusal(
        failure.safeParse(jsonIn(answer.body)).data?.error.message ?? answer.body,
        reasonOf(answer) ?? `HTTP ${answer.status}`,
      ),
  };
}

const passing = ['rateLimitExceeded', 'jobRateLimitExceeded', 'backendError', 'internalError'];

/** Throttling comes as 403, with a reason. */
function judge(answer: HttpAnswer): Repetition | undefined {
  if (answer.status < 400 || answer.status === 401) return undefined;
  const reason = reasonOf(answer);
  if (reason === undefined) return undefined;
  return passing.includes(reason) ? 'again' : 'final';
}

/** What BigQuery calls a failure. */
function reasonOf({ body }: HttpAnswer): string | undefined {
  const { data } = failure.safeParse(jsonIn(body));
  return data?.error.errors?.[0]?.reason ?? data?.error.status;
}
