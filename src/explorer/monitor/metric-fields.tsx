// The fields of what a monitor measures: the metric and its settings.

import { Choice } from '../parts/choose.tsx';
import { metricName, monitorWords as words } from '../words/quality.ts';
import type { MonitorTarget } from './new.graphql';

type Metric = MonitorTarget['metrics'][number];

/** The settings as they are written; empty where there are none. */
export interface Config {
  /** What is asked where the metric is a query of one's own. */
  readonly querySelect: string;
  readonly timeColumn: string;
  readonly dimension: string;
}

/** The settings of a new monitor. */
export const noConfig: Config = { querySelect: '', timeColumn: '', dimension: '' };

/** Whether a metric can be measured by periods, or by the values of a column. */
const isScanned = (metric: Metric): boolean =>
  metric !== 'custom_sql' && !metric.startsWith('job_');

/** The settings that a metric has, for the server. */
export function configOf(metric: Metric, config: Config) {
  const names = [
    ...(metric === 'custom_sql' ? (['querySelect'] as const) : []),
    ...(isScanned(metric) && metric !== 'freshness' ? (['timeColumn'] as const) : []),
    ...(isScanned(metric) ? (['dimension'] as const) : []),
  ];
  const given = names.filter((name) => config[name].trim() !== '');
  return Object.fromEntries(given.map((name) => [name, config[name].trim()]));
}

/** Whether all is there that a metric needs. */
export function isWholeConfig(metric: Metric, { querySelect }: Config): boolean {
  return metric !== 'custom_sql' || querySelect.trim() !== '';
}

interface MetricProps {
  readonly metrics: readonly Metric[];
  readonly metric: Metric | undefined;
  readonly choose: (metric: Metric | undefined) => void;
  /** Whether the viewer may write SQL for the source. */
  readonly maySql: boolean;
  readonly config: Config;
  readonly change: (config: Config) => void;
}

/** The fields. */
export function MetricFields({ metrics, metric, choose, maySql, config, change }: MetricProps) {
  const line = (name: keyof Config, label: string, hint: string) => (
    <label className="choice">
      <span>{label}</span>
      <input
        value={config[name]}
        maxLength={255}
        spellCheck={false}
        onChange={({ currentTarget }) => change({ ...config, [name]: currentTarget.value })}
      />
      <small className="quiet">{hint}</small>
    </label>
  );
  return (
    <>
      <Choice
        label={words.metric}
        none={null}
        value={metric ?? ''}
        choices={metrics.map((id) => ({ id, name: metricName(id) }))}
        choose={(id) => choose(metrics.find((one) => one === id))}
      />
      {metric === 'custom_sql' && (
        <label className="choice">
          <span>{words.query}</span>
          <textarea
            rows={4}
            className="sql"
            spellCheck={false}
            value={config.querySelect}
            onChange={({ currentTarget }) =>
              change({ ...config, querySelect: currentTarget.value })
            }
          />
        </label>
      )}
      {metric &&
        isScanned(metric) &&
        metric !== 'freshness' &&
        line('timeColumn', words.timeColumn, words.timeColumnHint)}
      {metric &&
        isScanned(metric) &&
        maySql &&
        line('dimension', words.dimension, words.dimensionHint)}
    </>
  );
}
