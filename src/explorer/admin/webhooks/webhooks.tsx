// Webhooks: what is sent where.

import { useList } from '../../asking/use-answer.ts';
import { eventName, adminWords as words } from '../../words/admin.ts';
import { atOnce, Part } from '../part.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookMaking } from './webhook-making.tsx';
import { AdminWebhooks } from './webhooks.graphql';

/** All webhooks. */
export function Webhooks() {
  const list = useList(AdminWebhooks, {}, { atOnce, of: (data) => data.webhooks });
  return (
    <Part
      title={words.parts.webhooks}
      list={list}
      makes={words.makeWebhook}
      heads={[words.webhookUrl, words.webhookEvents, words.status]}
      cells={({ url, events, isEnabled, disabledReason }) => [
        url,
        events.map(eventName).join(', '),
        <span
          key="status"
          className={isEnabled ? 'badge good' : 'badge'}
          title={disabledReason ?? ''}
        >
          {isEnabled ? words.enabled : words.disabled}
        </span>,
      ]}
      form={(webhook, close) =>
        webhook ? <WebhookForm webhook={webhook} close={close} /> : <WebhookMaking close={close} />
      }
    />
  );
}
