// Form of a new monitor: what it measures, when it runs, and what is in order.

import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAddress } from '../asking/address.ts';
import { ask } from '../asking/ask.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { useMay, useViewer } from '../asking/viewer.ts';
import { MonitorCounts, MonitorList } from '../monitors/page.graphql';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { monitorWords as words } from '../words/quality.ts';
import { WorkspaceFields } from '../workspace/workspace-fields.tsx';
import { noConfig } from './metric-config.ts';
import { configOf, isWholeConfig, MetricFields, metricsFor } from './metric-fields.tsx';
import { MakeMonitor, type MonitorTarget, TargetOfMonitor } from './new.graphql';
import { asGiven, RangeFields, usualCondition } from './range-fields.tsx';
import { ScheduleFields, usualSchedule } from './schedule-fields.tsx';
import { TargetField } from './target-field.tsx';
import { Trial } from './trial.tsx';

/** The page; its address holds what is to be measured. */
export function NewMonitorPage() {
  const view = useAddress();
  const viewer = useViewer();
  const may = useMay('edit_monitors');
  const id = view.one('target');
  const { data, error } = useAnswer(TargetOfMonitor, { id }, { isWanted: id !== '' });
  const target = id === '' ? null : (data?.resource ?? null);
  return (
    <Page title={words.making}>
      {!viewer && <Waiting lines={8} />}
      {viewer && !may && <p>{words.may}</p>}
      {error && <Problem error={error} />}
      {may && (
        <div className="sheet form">
          <TargetField
            target={target}
            choose={(chosen) => view.change({ target: chosen?.id ?? null })}
          />
          {target?.metrics.length === 0 && <p className="quiet">{words.metricNone}</p>}
          {target && target.metrics.length > 0 && <Form key={target.id} target={target} />}
        </div>
      )}
    </Page>
  );
}

function Form({ target }: { target: MonitorTarget }) {
  const [, navigate] = useLocation();
  const maySql = useMay('write_sql_for_sources') || target.integration?.mayWriteSql === true;
  const metrics = metricsFor(target, maySql);
  const [metric, setMetric] = useState(metrics[0]);
  const [config, setConfig] = useState(noConfig);
  const [name, setName] = useState('');
  const [schedule, setSchedule] = useState(usualSchedule);
  const [condition, setCondition] = useState(usualCondition);
  const input = metric && {
    targetId: target.id,
    metricType: metric,
    metricConfig: configOf(target, metric, config),
    name: name.trim() === '' ? null : name.trim(),
    schedule,
    ...asGiven(condition),
  };
  const make = useAct(async () => {
    if (!input) return;
    const { createMonitor } = await ask(MakeMonitor, { input });
    navigate(`/monitors/${createMonitor.id}`);
  }, [MonitorList, MonitorCounts]);
  const isWhole = condition.isLearned || condition.lowest !== '' || condition.highest !== '';
  const isMeasurable = metric !== undefined && isWholeConfig(metric, config);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <MetricFields
        target={target}
        metrics={metrics}
        metric={metric}
        choose={setMetric}
        maySql={maySql}
        config={config}
        change={setConfig}
      />
      {input && <Trial input={input} target={target} isReady={isMeasurable} />}
      <ScheduleFields schedule={schedule} change={setSchedule} />
      <fieldset className="plain-set">
        <legend>{words.settings}</legend>
        <RangeFields
          key={metric}
          metric={metric ?? ''}
          condition={condition}
          change={setCondition}
        />
        {condition.isLearned && <WorkspaceFields />}
      </fieldset>
      <label className="choice">
        <span>{words.name}</span>
        <input
          value={name}
          maxLength={255}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <small className="quiet">{words.nameHint}</small>
      </label>
      {make.error && <Problem error={make.error} />}
      <p>
        <button
          type="submit"
          className="main"
          disabled={!(isWhole && isMeasurable) || make.isPending}
        >
          {make.isPending ? words.creating : words.create}
        </button>
      </p>
    </form>
  );
}
