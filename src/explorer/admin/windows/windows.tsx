// Maintenance windows: times in which values are not judged, once or every week.

import { ask } from '../../asking/ask.ts';
import { useForm } from '../../asking/form.ts';
import { useUndoable } from '../../asking/undo.ts';
import { useList } from '../../asking/use-answer.ts';
import { Choice } from '../../parts/choosing/choice.tsx';
import { ChooseSource } from '../../parts/choosing/choose.tsx';
import { Ticks } from '../../parts/choosing/ticks.tsx';
import { FormActs } from '../../parts/form-acts.tsx';
import { NameField } from '../../parts/name-field.tsx';
import { Overtaken } from '../../parts/problem.tsx';
import { adminWords } from '../../words/admin.ts';
import { windowWords as words } from '../../words/windows.ts';
import { words as common } from '../../words.ts';
import { atOnce, Part } from '../part.tsx';
import { inputOf, nothing, sentOf, type WindowInput } from './window-input.ts';
import {
  type AdminWindow,
  AdminWindows,
  ChangeWindow,
  DeleteWindow,
  MakeWindow,
} from './windows.graphql';

/** All of them. */
export function Windows() {
  const list = useList(AdminWindows, {}, { atOnce, of: (data) => data.maintenanceWindows });
  return (
    <Part
      title={words.title}
      hint={words.hint}
      list={list}
      makes={words.make}
      heads={[words.when, words.of, words.state]}
      cells={(window) => [
        words.whenOf(window),
        window.monitor?.name ?? (window.integrationId ? words.source : words.all),
        window.isEnabled ? (window.isInForce ? words.now : words.on) : words.off,
      ]}
      form={(window, close) => <WindowForm window={window} close={close} />}
    />
  );
}

interface WindowFormProps {
  /** Null for a new one. */
  readonly window: AdminWindow | null;
  readonly close: () => void;
}

function WindowForm({ window, close }: WindowFormProps) {
  const now = window ? inputOf(window) : nothing;
  const form = useForm(now);
  const { value } = form;
  const write = (changes: Partial<WindowInput>) => form.write({ ...value, ...changes });
  const act = useUndoable([AdminWindows]);
  return (
    <>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          const says = window ? common.toast.saved(value.name) : common.toast.created(value.name);
          act.mutate(
            { says, act: () => (window ? change(window, value, now) : make(value)) },
            { onSuccess: close },
          );
        }}
      >
        <NameField label={adminWords.name} value={value.name} set={(name) => write({ name })} />
        <Choice
          label={words.repeats}
          none={null}
          value={value.repeats}
          choices={[
            { id: 'once', name: words.once },
            { id: 'weekly', name: words.weekly },
          ]}
          choose={(repeats) => write({ repeats: repeats === 'weekly' ? 'weekly' : 'once' })}
        />
        {value.repeats === 'once' ? (
          <Once value={value} write={write} />
        ) : (
          <Weekly value={value} write={write} />
        )}
        <ChooseSource
          label={words.onlySource}
          none={words.all}
          value={value.integrationId}
          choose={(integrationId) => write({ integrationId })}
        />
        <Switch
          label={words.measures}
          value={value.measures}
          set={(measures) => write({ measures })}
        />
        <Switch
          label={adminWords.isOn}
          value={value.isEnabled}
          set={(isEnabled) => write({ isEnabled })}
        />
        {form.isOvertaken && <Overtaken take={form.drop}>{now.name}</Overtaken>}
        <FormActs
          says={window ? adminWords.save : words.make}
          isOff={act.isPending}
          error={act.error}
          close={close}
        />
      </form>
      {window && (
        <p className="side-remove">
          <button
            type="button"
            disabled={act.isPending}
            onClick={() =>
              act.mutate(
                { says: common.toast.deleted(window.name), act: () => remove(window, now) },
                { onSuccess: close },
              )
            }
          >
            {adminWords.remove}
            <span className="spoken"> {window.name}</span>
          </button>
        </p>
      )}
    </>
  );
}

interface FieldsProps {
  readonly value: WindowInput;
  readonly write: (changes: Partial<WindowInput>) => void;
}

function Once({ value, write }: FieldsProps) {
  return (
    <>
      {(['startsAt', 'endsAt'] as const).map((name) => (
        <label key={name} className="choice">
          <span>{words[name]}</span>
          <input
            type="datetime-local"
            required
            value={value[name]}
            onChange={({ currentTarget }) => write({ [name]: currentTarget.value })}
          />
        </label>
      ))}
    </>
  );
}

const days = ['0', '1', '2', '3', '4', '5', '6'] as const;

function Weekly({ value, write }: FieldsProps) {
  return (
    <>
      <Ticks
        legend={words.days}
        names={days}
        says={(day) => adminWords.days[Number(day)] ?? ''}
        chosen={days.filter((day) => value.days.includes(Number(day)))}
        set={(chosen) => write({ days: chosen.map(Number) })}
      />
      {(['fromTime', 'untilTime'] as const).map((name) => (
        <label key={name} className="choice">
          <span>{words[name]}</span>
          <input
            type="time"
            required
            value={value[name]}
            onChange={({ currentTarget }) => write({ [name]: currentTarget.value })}
          />
        </label>
      ))}
      <label className="choice">
        <span>{words.timeZone}</span>
        <input
          value={value.timeZone}
          placeholder={words.zoneOfWorkspace}
          maxLength={64}
          onChange={({ currentTarget }) => write({ timeZone: currentTarget.value })}
        />
      </label>
    </>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly value: boolean;
  readonly set: (value: boolean) => void;
}

function Switch({ label, value, set }: SwitchProps) {
  return (
    <label className="radio">
      <input
        type="checkbox"
        checked={value}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      {label}
    </label>
  );
}

async function make(value: WindowInput) {
  const { createMaintenanceWindow: made } = await ask(MakeWindow, { input: sentOf(value) });
  if (!made) return null;
  const { id, version } = made;
  return () => ask(DeleteWindow, { id, version });
}

async function change({ id, version }: AdminWindow, value: WindowInput, before: WindowInput) {
  const { updateMaintenanceWindow: changed } = await ask(ChangeWindow, {
    ...{ id, version, input: sentOf(value) },
  });
  if (!changed) return null;
  return () => ask(ChangeWindow, { id, version: changed.version, input: sentOf(before) });
}

async function remove({ id, version }: AdminWindow, before: WindowInput) {
  await ask(DeleteWindow, { id, version });
  return () => ask(MakeWindow, { input: sentOf(before) });
}
