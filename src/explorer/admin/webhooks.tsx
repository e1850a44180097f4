// Webhooks: making and testing one, turning it off, what was delivered, and sending it again.

import { useState } from 'react';
import { ask } from '../asking/ask.ts';
import { useAct, useList } from '../asking/use-answer.ts';
import { Choice } from '../parts/choose.tsx';
import { Moment } from '../parts/moment.tsx';
import { More } from '../parts/more.tsx';
import { NameField } from '../parts/name-field.tsx';
import { Problem } from '../parts/problem.tsx';
import { Sure } from '../parts/sure.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { eventName, adminWords as words } from '../words/admin.ts';
import { events, eventsIn } from './events.ts';
import { atOnce, List } from './list.tsx';
import {
  type AdminWebhook,
  AdminWebhooks,
  ChangeWebhook,
  DeleteWebhook,
  MakeWebhook,
  type MakeWebhookData,
  type MakeWebhookVariables,
  RedeliverWebhook,
  TestWebhook,
  type TestWebhookData,
  WebhookDeliveries,
} from './page.graphql';
import { Shown } from './shown-once.tsx';

/** All webhooks, the newest first. */
export function Webhooks() {
  const list = useList(AdminWebhooks, {}, { atOnce, of: (data) => data.webhooks });
  return (
    <>
      <Making />
      <List of={list}>{(webhook) => <Row webhook={webhook} />}</List>
    </>
  );
}

function Row({ webhook }: { webhook: AdminWebhook }) {
  const { id, version, name, url, isEnabled, disabledReason } = webhook;
  const [isOpen, setOpen] = useState(false);
  const change = useAct(
    () => ask(ChangeWebhook, { id, version, input: { isEnabled: !isEnabled } }),
    [AdminWebhooks],
  );
  const remove = useAct(() => ask(DeleteWebhook, { id, version }), [AdminWebhooks]);
  const test = useAct<void, TestWebhookData>(
    () => ask(TestWebhook, { id }),
    [WebhookDeliveries, AdminWebhooks],
  );
  const tested = test.data?.testWebhook;
  const error = change.error ?? remove.error ?? test.error;
  return (
    <>
      <span className={`badge ${isEnabled ? 'good' : ''}`}>
        {isEnabled ? words.enabled : words.disabled}
      </span>
      <span className="of">
        <b>{name}</b> <small>{url}</small>
        <small>
          {words.when} {webhook.events.map(eventName).join(', ')}
        </small>
        {disabledReason && <small className="wrong">{disabledReason}</small>}
        {tested && (
          <small role="status" className={tested.ok ? '' : 'wrong'}>
            {tested.ok ? words.tested(tested.status, tested.durationMs) : tested.reason}
          </small>
        )}
        {error && <Problem error={error} />}
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{words.deliveries}</summary>
          {isOpen && <Deliveries id={id} />}
        </details>
      </span>
      <button type="button" disabled={test.isPending} onClick={() => test.mutate()}>
        {test.isPending ? words.testing : words.test}
        <span className="spoken"> {name}</span>
      </button>
      <button type="button" disabled={change.isPending} onClick={() => change.mutate()}>
        {isEnabled ? words.turnOff : words.turnOn}
        <span className="spoken"> {name}</span>
      </button>
      <Sure
        label={words.remove}
        of={name}
        means={words.deleteWebhookMeans}
        isBusy={remove.isPending}
        act={() => remove.mutate()}
      />
    </>
  );
}

const deliveriesAtOnce = 20;
const tones: Readonly<Record<string, string>> = { delivered: 'good', failed: 'alarm' };

function Deliveries({ id }: { id: string }) {
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

function Making() {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [format, setFormat] = useState<Format>('headwater');
  const [key, setKey] = useState('');
  const [chosen, setChosen] = useState<ReturnType<typeof eventsIn>>([...events]);
  const offered = eventsIn(format);
  const isKeyed = keyed.has(format);
  const make = useAct<void, MakeWebhookData>(
    () =>
      ask(MakeWebhook, {
        input: {
          ...{ name, url, format, key: isKeyed ? key : null },
          events: offered.filter((event) => chosen.includes(event)),
        },
      }),
    [AdminWebhooks],
  );
  return (
    <form
      className="sheet form below"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate(undefined, {
          onSuccess: () => {
            setName('');
            setUrl('');
            setKey('');
          },
        });
      }}
    >
      <h2>{words.makeWebhook}</h2>
      <NameField label={words.webhookName} value={name} set={setName} />
      <label className="choice">
        <span>{words.webhookUrl}</span>
        <input
          type="url"
          required
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
      </label>
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
      <fieldset className="plain-set">
        <legend>{words.webhookEvents}</legend>
        {offered.map((event) => (
          <label key={event} className="radio">
            <input
              type="checkbox"
              checked={chosen.includes(event)}
              onChange={({ currentTarget }) =>
                setChosen(
                  currentTarget.checked
                    ? [...chosen, event]
                    : chosen.filter((one) => one !== event),
                )
              }
            />
            {eventName(event)}
          </label>
        ))}
      </fieldset>
      {make.error && <Problem error={make.error} />}
      {make.data && make.data.createWebhook.secret !== '' && (
        <Shown
          says={words.secretMade}
          copy={words.copySecret}
          secret={make.data.createWebhook.secret}
          done={() => make.reset()}
        />
      )}
      <p>
        <button type="submit" className="main" disabled={make.isPending}>
          {words.makeWebhook}
        </button>
      </p>
    </form>
  );
}
