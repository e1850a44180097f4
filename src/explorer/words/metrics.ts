// What metrics are called.

const metrics: Readonly<Record<string, string>> = {
  accepted_values: 'values that are not accepted',
  average_length: 'average length',
  cardinality: 'different values',
  custom_sql: 'own query',
  duplicate_count: 'duplicates',
  empty_string_percentage: 'empty texts, %',
  failing_tests: 'failing tests',
  freshness: 'freshness',
  job_duration: 'duration of the job',
  job_error_rate: 'failed runs, %',
  job_success_rate: 'successful runs, %',
  maximum: 'maximum',
  mean: 'mean',
  minimum: 'minimum',
  negative_percentage: 'negative values, %',
  newest_age: 'age of the newest',
  null_percentage: 'missing values, %',
  oldest_age: 'age of the oldest',
  pattern: 'values that do not match a pattern',
  references: 'values that refer to nothing',
  row_count: 'rows',
  stddev: 'standard deviation',
  sum: 'sum',
  true_percentage: 'true values, %',
  unique_key: 'rows whose key is not unique',
  unique_percentage: 'unique values, %',
  zero_percentage: 'zeros, %',
};

/** All metrics. */
export const metricNames: readonly string[] = Object.keys(metrics);

/** What a metric is called. */
export function metricName(metric: string): string {
  return metrics[metric] ?? metric.replaceAll('_', ' ');
}
