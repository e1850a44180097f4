// What a webhook was sent, and sending it again.

import { ask } from '../../asking/ask.ts';
import { useAct, useList } from '../../asking/use-answer.ts';
import { Moment } from '../../parts/moment.tsx';
import { More } from '../../parts/more.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { eventName, adminWords as words } from '../../words/admin.ts';
import { RedeliverWebhook, WebhookDeliveries } from './webhooks.graphql';

const deliveriesAtOnce = 20;
const tones: Readonly<Record<string, string>> = { delivered: 'good', failed: 'alarm' };

/** The deliveries of a webhook, the newest first. */
export function Deliveries({ id }: { id: string }) {
  const {
    data,
    nodes: deliveries,
    rest,
    error,
    refetch,
  } = useList(
    WebhookDeliveries,
    { id },
    { atOnce: deliveriesAtOnce, of: ({ webhook }) => webhook?.deliveries },
  );
  if (error) return <Problem error={error} again={refetch} />;
  if (!data) return <Waiting lines={3} />;
  if (deliveries.length === 0) return <p className="quiet">{words.noDeliveries}</p>;
  return (
    <>
      <ul className="plain">
        {deliveries.map(({ id: delivery, event, state, createdAt, body, attempts }) => (
          <li key={delivery}>
            <span className={`badge ${tones[state] ?? ''}`}>{state}</span> {eventName(event)}{' '}
            <span className="quiet">
              <Moment at={createdAt} /> · {words.attempts(attempts.length)}
            </span>{' '}
            {attempts.at(-1)?.error && <span className="wrong">{attempts.at(-1)?.error}</span>}
            {state === 'failed' && <Again id={delivery} />}
            {body && (
              <details>
                <summary>{words.body}</summary>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is moved by keys */}
                <pre tabIndex={0}>{body}</pre>
              </details>
            )}
          </li>
        ))}
      </ul>
      <More rest={rest} />
    </>
  );
}

function Again({ id }: { id: string }) {
  const again = useAct(() => ask(RedeliverWebhook, { id }), [WebhookDeliveries]);
  return (
    <>
      <button type="button" disabled={again.isPending} onClick={() => again.mutate()}>
        {words.redeliver}
      </button>
      {again.error && <Problem error={again.error} />}
    </>
  );
}
