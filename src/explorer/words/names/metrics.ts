// What metrics are called.

const metrics: Readonly<Record<string, string>> = {
  accepted_values: 'Values not accepted',
  average_length: 'Average length',
  cardinality: 'Distinct count',
  comparison: 'Comparison of two queries',
  custom_sql: 'Custom SQL',
  duplicate_count: 'Duplicates',
  empty_string_percentage: 'Empty strings (%)',
  failing_tests: 'Failing tests',
  freshness: 'Freshness',
  job_duration: 'Job duration',
  job_error_rate: 'Failed runs (%)',
  job_success_rate: 'Successful runs (%)',
  maximum: 'Maximum',
  mean: 'Mean',
  minimum: 'Minimum',
  negative_percentage: 'Negative values (%)',
  newest_age: 'Age of the newest value',
  null_percentage: 'Missing values (%)',
  oldest_age: 'Age of the oldest value',
  pattern: 'Values not matching a pattern',
  references: 'Values without a match',
  row_count: 'Row count',
  schema_changes: 'Tables with changed columns',
  stddev: 'Standard deviation',
  sum: 'Sum',
  true_percentage: 'True values (%)',
  unique_key: 'Rows with a duplicate key',
  unique_percentage: 'Unique values (%)',
  zero_percentage: 'Zeros (%)',
};

/** All metrics. */
export const metricNames: readonly string[] = Object.keys(metrics);

/** What a metric is called. */
export function metricName(metric: string): string {
  return metrics[metric] ?? metric.replaceAll('_', ' ');
}
