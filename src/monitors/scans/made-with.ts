// The settings that some metrics are made with, and no others take.

import { invalidField } from '../../errors.ts';

/** What each check is made with, and only it. */
const madeWith = {
  accepted_values: 'values',
  pattern: 'pattern',
  references: 'references',
  unique_key: 'key_columns',
} as const;

/** What two queries are compared by. */
const comparisons = ['difference', 'ratio', 'keys'] as const;

interface OwnSettings {
  readonly values?: readonly string[] | undefined;
  readonly pattern?: string | undefined;
  readonly references?: string | undefined;
  readonly key_columns?: readonly string[] | undefined;
  readonly query_select?: string | undefined;
  readonly other_query?: string | undefined;
  readonly other_integration?: string | undefined;
  readonly compare_by?: string | undefined;
}

const field = (name: keyof OwnSettings): string => `metric_config.${name}`;

/** Throws BAD_REQUEST for a check or comparison without what it is made with, and for that of another metric. */
export function mustBeMadeWith(metricType: string, config: OwnSettings): void {
  for (const [metric, setting] of Object.entries(madeWith)) {
    const isGiven = (config[setting]?.length ?? 0) > 0;
    const isOther = metric !== metricType;
    if (!isOther && !isGiven) throw invalidField(field(setting), `${metric} needs this.`);
    if (metricType === 'comparison' && setting === 'key_columns') continue;
    if (isOther && isGiven) throw invalidField(field(setting), `Only ${metric} takes this.`);
  }
  if (metricType === 'comparison') mustCompare(config);
  else mustNotCompare(config);
}

function mustNotCompare(config: OwnSettings): void {
  const own = ['other_query', 'other_integration', 'compare_by'] as const;
  const given = own.find((name) => config[name] !== undefined);
  if (given !== undefined) throw invalidField(field(given), 'Only comparison takes this.');
}

function mustCompare(config: OwnSettings): void {
  for (const name of ['query_select', 'other_query'] as const) {
    if (!config[name]?.trim()) {
      throw invalidField(field(name), 'comparison needs the SQL of both queries.');
    }
  }
  const { compare_by: by } = config;
  if (!comparisons.some((known) => known === by)) {
    const shown = by === undefined ? '' : `, not "${by.slice(0, 30)}"`;
    throw invalidField(field('compare_by'), `Use one of ${comparisons.join(', ')}${shown}.`);
  }
  const hasKeys = (config.key_columns?.length ?? 0) > 0;
  if (hasKeys === (by === 'keys')) return;
  const message = hasKeys
    ? 'Only a comparison by keys takes this.'
    : 'Name the columns of both queries by which rows are compared.';
  throw invalidField(field('key_columns'), message);
}
