// Form of a new webhook, whose secret is shown once.

import { useState } from 'react';
import { ask } from '../../asking/ask.ts';
import { useAct } from '../../asking/use-answer.ts';
import { Choice } from '../../parts/choosing/choice.tsx';
import { FormActs } from '../../parts/form-acts.tsx';
import { adminWords as words } from '../../words/admin.ts';
import { events, eventsIn } from '../events.ts';
import { ShownOnce } from '../shown-once.tsx';
import { WebhookFields } from './webhook-fields.tsx';
import {
  AdminWebhooks,
  MakeWebhook,
  type MakeWebhookData,
  type MakeWebhookVariables,
} from './webhooks.graphql';

type Format = NonNullable<MakeWebhookVariables['input']['format']>;

/** All formats, and those whose service gives a key. */
const formats = [
  'headwater',
  'slack',
  'teams',
  'pagerduty',
  'opsgenie',
] as const satisfies Format[];
const keyed: ReadonlySet<Format> = new Set(['pagerduty', 'opsgenie']);

/** The form. */
export function WebhookMaking({ close }: { close: () => void }) {
  const [fields, setFields] = useState({ name: '', url: '', events: [...events] });
  const [format, setFormat] = useState<Format>('headwater');
  const [key, setKey] = useState('');
  const isKeyed = keyed.has(format);
  const make = useAct<void, MakeWebhookData>(
    () =>
      ask(MakeWebhook, {
        input: {
          ...{ ...fields, format, key: isKeyed ? key : null },
          events: eventsIn(format).filter((event) => fields.events.some((one) => one === event)),
        },
      }),
    [AdminWebhooks],
  );
  const secret = make.data?.createWebhook.secret ?? '';
  if (secret !== '') {
    return (
      <ShownOnce
        title={words.secretReady}
        says={words.secretMade}
        copy={words.copySecret}
        secret={secret}
        done={close}
      />
    );
  }
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate(undefined, {
          onSuccess: ({ createWebhook }) => createWebhook.secret === '' && close(),
        });
      }}
    >
      <WebhookFields value={fields} format={format} set={setFields} />
      <Choice
        label={words.webhookFormat}
        none={null}
        value={format}
        choices={formats.map((id) => ({ id, name: words.webhookFormats[id] }))}
        choose={(id) => setFormat(formats.find((one) => one === id) ?? 'headwater')}
      />
      {isKeyed && (
        <label className="choice">
          <span>{words.webhookKey}</span>
          <input
            type="password"
            autoComplete="off"
            required
            value={key}
            onChange={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </label>
      )}
      <FormActs says={words.makeWebhook} isOff={make.isPending} error={make.error} close={close} />
    </form>
  );
}
