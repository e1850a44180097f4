// Editing a monitor: what it measures, when it runs, what its range follows, and whom it notifies.

import { useState } from 'react';
import { ask } from '../asking/ask.ts';
import { useForm } from '../asking/form.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { NameField } from '../parts/name-field.tsx';
import { Overtaken, Problem } from '../parts/problem.tsx';
import { editWords } from '../words/edit-monitor.ts';
import { monitorWords as words } from '../words/quality.ts';
import { words as common } from '../words.ts';
import { isDeclared } from './head.tsx';
import type { Config } from './metric-config.ts';
import { configFrom, configOf, isWholeConfig, MetricFields, metricsFor } from './metric-fields.tsx';
import { type MonitorTarget, TargetOfMonitor } from './new.graphql';
import { SaveMonitor } from './page.graphql';
import { type Schedule, ScheduleFields } from './schedule-fields.tsx';
import { type MonitorThere, renewed } from './shown.ts';
import { Trial } from './trial.tsx';

/** The button, and the form that it opens; nothing for a monitor whose project declares it. */
export function Edit({ monitor }: { monitor: MonitorThere }) {
  const [isOpen, setOpen] = useState(false);
  const id = monitor.target?.id ?? '';
  const { data, error } = useAnswer(TargetOfMonitor, { id }, { isWanted: isOpen && id !== '' });
  if (isDeclared(monitor) || id === '') return null;
  if (!isOpen) {
    return (
      <button type="button" onClick={() => setOpen(true)}>
        {editWords.edit}
      </button>
    );
  }
  return (
    <section>
      <h2>{editWords.edit}</h2>
      {error && <Problem error={error} />}
      {data?.resource && (
        <Form monitor={monitor} target={data.resource} close={() => setOpen(false)} />
      )}
    </section>
  );
}

/** What the form holds, as it is written. */
interface Edited {
  readonly name: string;
  readonly metric: MonitorThere['metricType'];
  readonly config: Config;
  readonly schedule: Schedule;
  readonly timeZone: string;
  readonly holidayCountry: string;
  readonly channel: string;
}

interface FormProps {
  readonly monitor: MonitorThere;
  readonly target: MonitorTarget;
  readonly close: () => void;
}

function Form({ monitor, target, close }: FormProps) {
  const { id, version } = monitor;
  const maySql = useMay('write_sql_for_sources') || target.integration?.mayWriteSql === true;
  const form = useForm(editedOf(monitor));
  const { name, metric, config, schedule } = form.value;
  const input = inputOf(target, form.value);
  const save = useAct(() => ask(SaveMonitor, { id, version, input }), renewed);
  const change = (more: Partial<Edited>) => form.write({ ...form.value, ...more });
  const metrics = metricsFor(target, maySql);
  return (
    <form
      className="doing"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(undefined, { onSuccess: close });
      }}
    >
      <NameField label={words.name} value={name} set={(next) => change({ name: next })} />
      <MetricFields
        target={target}
        // What it measures now is offered in any case.
        metrics={metrics.includes(metric) ? metrics : [metric, ...metrics]}
        metric={metric}
        choose={(next) => next && change({ metric: next })}
        maySql={maySql}
        config={config}
        change={(next) => change({ config: next })}
      />
      <Trial
        input={{ targetId: target.id, ...input, metricType: metric }}
        target={target}
        isReady={isWholeConfig(metric, config)}
      />
      <ScheduleFields schedule={schedule} change={(next) => change({ schedule: next })} />
      <Texts edited={form.value} change={change} />
      {form.isOvertaken ? (
        <Overtaken take={form.drop}>{monitor.name}</Overtaken>
      ) : (
        save.error && <Problem error={save.error} />
      )}
      <p className="acts">
        <button type="submit" className="main" disabled={save.isPending}>
          {form.isOvertaken ? common.edit.saveAnyway : editWords.editSave}
        </button>
        <button type="button" onClick={close}>
          {editWords.editCancel}
        </button>
      </p>
      <p className="quiet">{editWords.editHint}</p>
    </form>
  );
}

function Texts({ edited, change }: { edited: Edited; change: (more: Partial<Edited>) => void }) {
  const fields = [
    { name: 'timeZone', label: editWords.zone, hint: editWords.zoneHint },
    { name: 'holidayCountry', label: editWords.country, hint: editWords.countryHint },
    { name: 'channel', label: editWords.channel, hint: editWords.channelHint },
  ] as const;
  return (
    <>
      {fields.map(({ name, label, hint }) => (
        <label key={name} className="choice">
          <span>{label}</span>
          <input
            value={edited[name]}
            maxLength={255}
            spellCheck={false}
            onChange={({ currentTarget }) => change({ ...edited, [name]: currentTarget.value })}
          />
          <small className="quiet">{hint}</small>
        </label>
      ))}
    </>
  );
}

function editedOf(monitor: MonitorThere): Edited {
  const { name, metricType, metricConfig, schedule, timeZone, holidayCountry } = monitor;
  const { cadence, frequency, hour, day } = schedule;
  return {
    ...{ name, metric: metricType, config: configFrom(metricConfig) },
    schedule: { cadence, frequency, hour, day },
    ...{ timeZone: timeZone ?? '', holidayCountry: holidayCountry ?? '' },
    channel: monitor.notifyChatChannel ?? '',
  };
}

/** What is saved; an empty text is none. */
function inputOf(target: MonitorTarget, edited: Edited) {
  const { name, metric, config, schedule, timeZone, holidayCountry, channel } = edited;
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  return {
    ...{ name, metricType: metric, metricConfig: configOf(target, metric, config), schedule },
    ...{ timeZone: orNull(timeZone), holidayCountry: orNull(holidayCountry) },
    notifyChatChannel: orNull(channel),
  };
}
