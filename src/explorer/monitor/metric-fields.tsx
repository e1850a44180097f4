// The fields of what a monitor measures: the metric and its settings.

import { Choice } from '../parts/choosing/choice.tsx';
import { editWords } from '../words/edit-monitor.ts';
import { metricName } from '../words/names/metrics.ts';
import { monitorWords as words } from '../words/quality.ts';
import { ComparisonFields } from './comparison-fields.tsx';
import { type Config, noConfig } from './metric-config.ts';
import type { MonitorTarget } from './new.graphql';
import { ReferenceField } from './reference-field.tsx';

type Metric = MonitorTarget['metrics'][number];

/** The settings of a monitor, as the API has them. */
type StoredConfig = Readonly<
  Record<Exclude<keyof Config, 'values' | 'keyColumns' | 'exclude'>, string | null> &
    Record<'values' | 'keyColumns' | 'exclude', readonly string[] | null>
>;

/** The settings of a monitor that is there. */
export function configFrom(stored: StoredConfig): Config {
  const { values, keyColumns, exclude, ...texts } = stored;
  return {
    ...{ querySelect: texts.querySelect ?? '', pattern: texts.pattern ?? '' },
    ...{ references: texts.references ?? '', timeColumn: texts.timeColumn ?? '' },
    ...{ timestampColumn: texts.timestampColumn ?? '', where: texts.where ?? '' },
    ...{ dimension: texts.dimension ?? '', values: (values ?? []).join('\n') },
    ...{ keyColumns: (keyColumns ?? []).join('\n'), exclude: (exclude ?? []).join('\n') },
    ...{ otherQuery: texts.otherQuery ?? '', otherIntegration: texts.otherIntegration ?? '' },
    compareBy: texts.compareBy ?? noConfig.compareBy,
  };
}

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
  madeWith[metric] === undefined &&
  metric !== 'failing_tests' &&
  metric !== 'schema_changes' &&
  metric !== 'comparison' &&
  !metric.startsWith('job_');

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Whether all tables of a target are measured. */
const isOfAll = ({ kind }: Pick<MonitorTarget, 'kind'>): boolean =>
  kind === 'schema' || kind === 'database';

/** Whether a query may answer the time that a metric is about. */
const isAskable = ({ kind }: MonitorTarget, metric: Metric | undefined): boolean =>
  metric === 'freshness' && kind === 'table';

/** The metrics that are offered: those that can work, and of queries only to those who may write them. */
export function metricsFor(target: MonitorTarget, maySql: boolean): readonly Metric[] {
  const isQuery = (one: Metric) => one === 'custom_sql' || one === 'comparison';
  return target.metrics.filter((one) => maySql || (!isQuery(one) && !isOfAll(target)));
}

/** The settings that a metric of a target has, for the server. */
export function configOf(target: MonitorTarget, metric: Metric | undefined, config: Config) {
  if (metric === undefined) return null;
  if (isOfAll(target)) return { exclude: linesOf(config.exclude) };
  if (metric === 'comparison') return comparisonOf(config);
  const own = madeWith[metric];
  const where = config.where.trim() === '' ? {} : { where: config.where.trim() };
  if (own === 'values' || own === 'keyColumns') return { ...where, [own]: linesOf(config[own]) };
  if (own === 'querySelect') return { [own]: config[own].trim() };
  if (own !== undefined) return { ...where, [own]: config[own].trim() };
  if (!isScanned(metric)) return null;
  const { timeColumn, timestampColumn, dimension, querySelect } = config;
  if (isAskable(target, metric) && querySelect.trim() !== '') {
    return { querySelect: querySelect.trim() };
  }
  return {
    ...where,
    ...(metric === 'freshness' &&
      timestampColumn.trim() !== '' && { timestampColumn: timestampColumn.trim() }),
    ...(metric !== 'freshness' && timeColumn.trim() !== '' && { timeColumn: timeColumn.trim() }),
    ...(dimension.trim() !== '' && { dimension: dimension.trim() }),
  };
}

function comparisonOf({
  querySelect,
  otherQuery,
  otherIntegration,
  compareBy,
  keyColumns,
}: Config) {
  return {
    ...{ querySelect: querySelect.trim(), otherQuery: otherQuery.trim(), compareBy },
    ...(otherIntegration !== '' && { otherIntegration }),
    ...(compareBy === 'keys' && { keyColumns: linesOf(keyColumns) }),
  };
}

/** Whether all is there that a metric needs. */
export function isWholeConfig(metric: Metric, config: Config): boolean {
  if (metric === 'comparison') {
    const { querySelect, otherQuery, compareBy, keyColumns } = config;
    const needed = [querySelect, otherQuery, ...(compareBy === 'keys' ? [keyColumns] : [])];
    return needed.every((text) => text.trim() !== '');
  }
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
      {own === 'references' && (
        <ReferenceField
          target={target}
          id={config.references}
          choose={(id) => change({ ...config, references: id })}
        />
      )}
      {own !== undefined && own !== 'references' && (
        <label className="choice">
          <span>{own === 'querySelect' ? words.query : words.settingsOf[own]}</span>
          <textarea
            rows={own === 'pattern' ? 1 : 4}
            className="sql"
            spellCheck={false}
            value={config[own]}
            onChange={({ currentTarget }) => change({ ...config, [own]: currentTarget.value })}
          />
        </label>
      )}
      {metric === 'comparison' && <ComparisonFields config={config} change={change} />}
      {isOfAll(target) && area('exclude', words.exclude, words.excludeHint)}
      {maySql &&
        isAskable(target, metric) &&
        area('querySelect', words.newestQuery, words.newestQueryHint)}
      {isAskable(target, metric) &&
        line('timestampColumn', editWords.timestampColumn, editWords.timestampColumnHint)}
      {maySql &&
        metric !== undefined &&
        metric !== 'custom_sql' &&
        (isDivided || own !== undefined) &&
        line('where', editWords.where, editWords.whereHint)}
      {isDivided &&
        metric !== 'freshness' &&
        line('timeColumn', words.timeColumn, words.timeColumnHint)}
      {isDivided && maySql && line('dimension', words.dimension, words.dimensionHint)}
    </>
  );
}
