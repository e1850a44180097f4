// Fields of every webhook: its name, its address and its events.

import { Ticks } from '../../parts/choosing/ticks.tsx';
import { NameField } from '../../parts/name-field.tsx';
import { eventName, adminWords as words } from '../../words/admin.ts';
import { eventsIn } from '../events.ts';

type Events = ReturnType<typeof eventsIn>[number][];

interface WebhookFieldsProps<Value> {
  readonly value: Value;
  readonly format: Parameters<typeof eventsIn>[0];
  readonly set: (value: Value) => void;
}

/** The fields. */
export function WebhookFields<Value extends { name: string; url: string; events: Events }>({
  value,
  format,
  set,
}: WebhookFieldsProps<Value>) {
  return (
    <>
      <NameField
        label={words.webhookName}
        value={value.name}
        set={(name) => set({ ...value, name })}
      />
      <label className="choice">
        <span>{words.webhookUrl}</span>
        <input
          type="url"
          required
          value={value.url}
          onChange={({ currentTarget }) => set({ ...value, url: currentTarget.value })}
        />
      </label>
      <Ticks
        legend={words.webhookEvents}
        names={eventsIn(format)}
        says={eventName}
        chosen={value.events}
        set={(chosen) => set({ ...value, events: [...chosen] })}
      />
    </>
  );
}
