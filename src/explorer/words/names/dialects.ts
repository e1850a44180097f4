// What dialects of SQL are called.

const dialects: Readonly<Record<string, string>> = {
  athena: 'Athena',
  bigquery: 'BigQuery',
  clickhouse: 'ClickHouse',
  databricks: 'Databricks',
  duckdb: 'DuckDB',
  flink: 'Flink',
  hive: 'Hive',
  mariadb: 'MariaDB',
  mysql: 'MySQL',
  oracle: 'Oracle',
  postgres: 'PostgreSQL',
  presto: 'Presto',
  redshift: 'Redshift',
  snowflake: 'Snowflake',
  spark: 'Spark',
  sqlite: 'SQLite',
  teradata: 'Teradata',
  trino: 'Trino',
  tsql: 'SQL Server',
  generic: 'Other',
};

/** All dialects, by name. */
export const dialectChoices = Object.entries(dialects).map(([id, name]) => ({ id, name }));
