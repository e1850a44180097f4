// The fields of what a monitor measures: the metric and its settings.

import { Choice } from '../parts/choose.tsx';
import { metricName } from '../words/metrics.ts';
import { monitorWords as words } from '../words/quality.ts';
import type { MonitorTarget } from './new.graphql';

type Metric = MonitorTarget['metrics'][number];

/** The settings as they are written; empty where there are none. */
export interface Config {
  /** What is asked where the metric is a query of one's own; of freshness the newest time. */
  readonly querySelect: string;
  /** The accepted values, one a line; the columns of a key likewise. */
  readonly values: string;
  readonly keyColumns: string;
  readonly pattern: string;
  /** The id of a column. */
  readonly references: string;
  readonly timeColumn: string;
  readonly dimension: string;
  /** Patterns of tables of a schema or database, one a line. */
  readonly exclude: string;
}

/** The settings of a new monitor. */
export const noConfig: Config = {
  ...{ querySelect: '', values: '', keyColumns: '', pattern: '', references: '' },
  ...{ timeColumn: '', dimension: '', exclude: '' },
};

/** What each check is made with. */
const madeWith: Partial<
  Record<Metric, 'keyColumns' | 'pattern' | 'querySelect' | 'references' | 'values'>
> = {
  accepted_values: 'values',
  custom_sql: 'querySelect',
  pattern: 'pattern',
  references: 'references',
  unique_key: 'keyColumns',
};

/** Whether a metric can be measured by periods, or by the values of a column. */
const isScanned = (metric: Metric): boolean =>
  madeWith[metric] === undefined && metric !== 'failing_tests' && !metric.startsWith('job_');

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Whether all tables of a target are measured. */
export const isOfAll = ({ kind }: Pick<MonitorTarget, 'kind'>): boolean =>
  kind === 'schema' || kind === 'database';

/** Whether a query may answer the time that a metric is about. */
const isAskable = ({ kind }: MonitorTarget, metric: Metric | undefined): boolean =>
  metric === 'freshness' && kind === 'table';

/** The settings that a metric of a target has, for the server. */
export function configOf(target: MonitorTarget, metric: Metric | undefined, config: Config) {
  if (metric === undefined) return null;
  if (isOfAll(target)) return { exclude: linesOf(config.exclude) };
  const own = madeWith[metric];
  if (own === 'values' || own === 'keyColumns') return { [own]: linesOf(config[own]) };
  if (own !== undefined) return { [own]: config[own].trim() };
  if (!isScanned(metric)) return null;
  const { timeColumn, dimension, querySelect } = config;
  if (isAskable(target, metric) && querySelect.trim() !== '') {
    return { querySelect: querySelect.trim() };
  }
  return {
    ...(metric !== 'freshness' && timeColumn.trim() !== '' && { timeColumn: timeColumn.trim() }),
    ...(dimension.trim() !== '' && { dimension: dimension.trim() }),
  };
}

/** Whether all is there that a metric needs. */
export function isWholeConfig(metric: Metric, config: Config): boolean {
  const own = madeWith[metric];
  return own === undefined || config[own].trim() !== '';
}

interface MetricProps {
  readonly target: MonitorTarget;
  readonly metrics: readonly Metric[];
  readonly metric: Metric | undefined;
  readonly choose: (metric: Metric | undefined) => void;
  /** Whether the viewer may write SQL for the source. */
  readonly maySql: boolean;
  readonly config: Config;
  readonly change: (config: Config) => void;
}

/** The fields. */
export function MetricFields(props: MetricProps) {
  const { target, metrics, metric, choose, maySql, config, change } = props;
  const isDivided = metric !== undefined && isScanned(metric) && !isOfAll(target);
  const own = metric === undefined ? undefined : madeWith[metric];
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
  const area = (name: keyof Config, label: string, hint: string) => (
    <label className="choice">
      <span>{label}</span>
      <textarea
        rows={2}
        className={name === 'querySelect' ? 'sql' : undefined}
        spellCheck={false}
        value={config[name]}
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
      {own !== undefined && (
        <label className="choice">
          <span>{own === 'querySelect' ? words.query : words.settingsOf[own]}</span>
          <textarea
            rows={own === 'pattern' || own === 'references' ? 1 : 4}
            className="sql"
            spellCheck={false}
            value={config[own]}
            onChange={({ currentTarget }) => change({ ...config, [own]: currentTarget.value })}
          />
        </label>
      )}
      {isOfAll(target) && area('exclude', words.exclude, words.excludeHint)}
      {maySql &&
        isAskable(target, metric) &&
        area('querySelect', words.newestQuery, words.newestQueryHint)}
      {isDivided &&
        metric !== 'freshness' &&
        line('timeColumn', words.timeColumn, words.timeColumnHint)}
      {isDivided && maySql && line('dimension', words.dimension, words.dimensionHint)}
    </>
  );
}
