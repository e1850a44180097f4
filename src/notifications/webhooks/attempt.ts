// One attempt to send something to a webhook: its result, and what that means.

import type { ServerContext } from '../../context.ts';
import { CatalogError } from '../../errors.ts';
import type { Webhook } from '../../generated/prisma/client.ts';
import { httpPost, type PostAnswer } from '../../network/http-post.ts';
import { signedHeaders } from '../../network/signature.ts';
import { scrubberOf } from '../../secrets/redaction.ts';
import { DeliveryFailure, permanent, requestFailure, statusFailure } from '../outbox/failure.ts';
import { FORMATS, formatted } from './format.ts';
import { openSecrets } from './secret.ts';

/** The result of an attempt. */
export interface Attempt {
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Status of the answer; null where none came. */
  readonly status: number | null;
  /** The first KB of the answer. */
  readonly answer: string | null;
  /** Null where the webhook took it. */
  readonly failure: DeliveryFailure | null;
}

/** What is sent: the same id and body each time, signed again. */
export interface WebhookMessage {
  readonly id: string;
  readonly body: string;
}

const timeoutMs = 10_000;
const who = 'The webhook';

/** Send a message once. Throws only what stops the work as a whole. */
export async function attempt(
  ctx: ServerContext,
  webhook: Pick<Webhook, 'id' | 'url' | 'secret' | 'previousSecret' | 'previousUntil' | 'format'>,
  { id, body }: WebhookMessage,
): Promise<Attempt> {
  const startedAt = ctx.now();
  const begun = performance.now();
  const ended = (answer: PostAnswer | null, failure: DeliveryFailure | null): Attempt => ({
    startedAt,
    durationMs: Math.round(performance.now() - begun),
    status: answer?.status ?? null,
    answer: answer?.text ?? null,
    failure,
  });
  let scrub = (text: string) => text;
  try {
    const [secret, ...before] = openSecrets(ctx, webhook);
    const secrets = [secret, ...before];
    scrub = scrubberOf({ secret, previous: before[0] });
    // The receiver's clock is the world's, whatever ours is set to.
    const timestamp = Math.floor(Date.now() / 1_000);
    const format = FORMATS.find((one) => one === webhook.format) ?? 'headwater';
    const request =
      format === 'headwater'
        ? { url: webhook.url, headers: signedHeaders(secrets, { id, timestamp, body }), body }
        : formatted(format, { url: webhook.url, key: secret, body });
    const answer = await httpPost({
      url: new URL(request.url),
      headers: {
        ...request.headers,
        'content-type': 'application/json',
        'user-agent': 'Headwater',
      },
      body: request.body,
      reach: ctx.surroundings.reach,
      signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(timeoutMs)]),
    });
    return ended({ ...answer, text: scrub(answer.text) }, judge(answer));
  } catch (error) {
    ctx.signal.throwIfAborted();
    return ended(null, failureOf(error, scrub));
  }
}

/** What the status of an answer means: null for success. */
function judge({ status, retryAfter }: PostAnswer): DeliveryFailure | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) {
    return permanent(`${who} answered with a redirect (${status}), which is not followed.`);
  }
  return statusFailure(who, status, retryAfter);
}

function failureOf(error: unknown, scrub: (text: string) => string): DeliveryFailure {
  if (error instanceof DeliveryFailure) return error;
  if (error instanceof CatalogError) {
    // A host that may not be connected to stays one; a name that is not found may be, later.
    return error.code === 'UNAVAILABLE'
      ? new DeliveryFailure(error.message)
      : permanent(error.message);
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new DeliveryFailure(`${who} did not answer within ${timeoutMs / 1_000} seconds.`);
  }
  return requestFailure(who, error, scrub);
}
