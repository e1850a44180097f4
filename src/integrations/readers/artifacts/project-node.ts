// The parts of a project's nodes that are read, whatever the version of its manifest.

import { z } from 'zod';
import { maxInteger, textLimits } from '../json-fields.ts';

// Every field is optional here: the twelve versions of the manifest differ in what they carry, and
// fields that are not read are let be. What becomes of the wrong type is said in lenient.ts.

const text = z.string().nullish();
/** What stands in an index, whose entries are bounded. */
const key = z.string().max(textLimits.key);
const columnName = z.string().max(textLimits.name);
/** A number that the database keeps as an integer. */
const integer = z.number().int().min(-maxInteger).max(maxInteger);
// Templates write what they make as text.
const flag = z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })]).nullish();
const meta = z.record(z.string(), z.unknown()).nullish();

/** Tags are written as a list, or as one text with commas. */
const tags = z
  .union([z.string().transform((list) => list.split(',')), z.array(z.string())])
  .nullish()
  .transform((list) => (list ?? []).map((tag) => tag.trim()).filter((tag) => tag !== ''));

const docs = z.object({ show: flag }).nullish();
/** Nodes a node depends on. Seeds of some versions have none, those of others no list. */
const dependsOn = z.object({ nodes: z.array(z.string()).nullish() }).nullish();

const contract = z.object({ enforced: flag }).nullish();
const anything = z.unknown().optional();

/** So long a source may go without new data, such as 12 hours. */
const period = z.object({ count: integer.nullish(), period: text }).nullish();
const freshnessRule = z.object({ warn_after: period, error_after: period, filter: text }).nullish();

/** Since version 12, later minor releases keep tags, meta and group in the configuration only. */
const config = z
  .object({
    enabled: flag,
    materialized: text,
    tags,
    meta,
    docs,
    group: text,
    severity: text,
    contract,
    freshness: freshnessRule,
    loaded_at_field: text,
    // What else decides how a table is made, as the project says it.
    incremental_strategy: anything,
    unique_key: anything,
    partition_by: anything,
    cluster_by: anything,
    grants: anything,
    // Of a test: which rows it looks at, and how many may fail.
    where: anything,
    limit: anything,
    warn_if: anything,
    error_if: anything,
  })
  .nullish();

const constraint = z.looseObject({ type: text, columns: z.array(z.string()).nullish() });

const column = z.object({
  name: columnName.nullish(),
  description: text,
  data_type: text,
  tags,
  meta,
  config: z.object({ tags, meta }).nullish(),
  constraints: z.array(constraint).nullish(),
});

/** Columns are named members of an object; some tools that write manifests make a list of them. */
const columns = z
  .union([
    z
      .record(columnName, column)
      .transform((byName) =>
        Object.entries(byName).map(([name, each]) => ({ ...each, name: each.name ?? name })),
      ),
    z.array(column.extend({ name: columnName })),
  ])
  .nullish()
  .transform((list) => list ?? []);

const testMetadata = z
  .object({
    name: z.string(),
    namespace: text,
    kwargs: z.record(z.string(), z.unknown()).nullish(),
  })
  .nullish();

/** What is said of models and of sources alike. */
const said = {
  package_name: text,
  original_file_path: text,
  database: text,
  schema: text,
  description: text,
  tags,
  meta,
  config,
  columns,
  relation_name: text,
};

const node = z.object({
  ...said,
  resource_type: z.string(),
  name: z.string(),
  alias: text,
  docs,
  group: text,
  access: text,
  version: z.union([z.string(), z.number()]).nullish(),
  constraints: z.array(constraint).nullish(),
  primary_key: z.array(z.string()).nullish(),
  contract,
  deprecation_date: text,
  latest_version: z.union([z.string(), z.number()]).nullish(),
  language: text,
  depends_on: dependsOn,
  // Until version 6; since version 7 the SQL is called code, as it may be Python.
  raw_sql: text,
  raw_code: text,
  compiled_sql: text,
  compiled_code: text,
  // Tests only.
  column_name: text,
  attached_node: text,
  test_metadata: testMetadata,
});

const source = z.object({
  ...said,
  name: z.string(),
  source_name: text,
  source_description: text,
  identifier: text,
  loader: text,
  source_meta: meta,
  freshness: freshnessRule,
  loaded_at_field: text,
});

/** People of an exposure or group. Later releases allow several addresses. */
const owner = z
  .object({ name: text, email: z.union([z.string(), z.array(z.string())]).nullish() })
  .nullish();

const exposure = z.object({
  name: z.string(),
  label: text,
  type: text,
  url: text,
  maturity: text,
  description: text,
  package_name: text,
  original_file_path: text,
  owner,
  tags,
  meta,
  config,
  depends_on: dependsOn,
});

const metric = z.object({
  name: z.string(),
  label: text,
  description: text,
  type: text,
  // `type` and `sql` until version 6, then two names for them, then the parameters of a type.
  sql: text,
  calculation_method: text,
  expression: text,
  type_params: z.record(z.string(), z.unknown()).nullish(),
  filter: anything,
  package_name: text,
  original_file_path: text,
  group: text,
  tags,
  meta,
  config,
  depends_on: dependsOn,
});

const semanticModel = z.object({
  name: z.string(),
  label: text,
  description: text,
  entities: anything,
  measures: anything,
  dimensions: anything,
  defaults: anything,
  depends_on: dependsOn,
});

const savedQuery = z.object({
  name: z.string(),
  label: text,
  description: text,
  query_params: anything,
  exports: anything,
  package_name: text,
  original_file_path: text,
  group: text,
  tags,
  meta,
  config,
  depends_on: dependsOn,
});

const unitTest = z.object({
  name: z.string(),
  model: text,
  description: text,
  depends_on: dependsOn,
});
const group = z.object({ name: z.string(), owner });

const result = z.object({
  unique_id: key,
  status: text,
  execution_time: z.number().nullish(),
  // Version 1 has no field for failures: a test's message is their number.
  message: z.union([z.string(), integer]).nullish(),
  failures: integer.nullish(),
  timing: z.array(z.object({ name: text, completed_at: text })).nullish(),
});

const freshness = z.object({
  unique_id: key,
  status: text,
  max_loaded_at: text,
  snapshotted_at: text,
  max_loaded_at_time_ago_in_s: z.number().nullish(),
  execution_time: z.number().nullish(),
  error: text,
});

const catalogColumn = z.object({
  name: columnName.nullish(),
  type: text,
  index: integer.nullish(),
});

const statistic = z.object({ value: anything });

const catalogTable = z.object({
  columns: z.record(columnName, catalogColumn).nullish(),
  stats: z.record(z.string(), statistic).nullish(),
});

const metadata = z.object({
  dbt_schema_version: z.string(),
  generated_at: text,
  invocation_id: key.nullish(),
  project_name: text,
  adapter_type: text,
});

const runArguments = z.object({ which: text }).nullish();

/** The pieces of the three artifacts, by name. */
export const shapes = {
  node,
  source,
  exposure,
  metric,
  semanticModel,
  savedQuery,
  unitTest,
  group,
  result,
  freshness,
  catalogTable,
  metadata,
  runArguments,
};

export type ProjectNode = z.output<typeof node>;
export type ProjectSource = z.output<typeof source>;
export type ProjectColumn = ProjectNode['columns'][number];
export type ProjectExposure = z.output<typeof exposure>;
export type ProjectMetric = z.output<typeof metric>;
export type ProjectSavedQuery = z.output<typeof savedQuery>;
export type ProjectSemanticModel = z.output<typeof semanticModel>;
export type ProjectUnitTest = z.output<typeof unitTest>;
export type RunNode = z.output<typeof result>;
export type SourceFreshness = z.output<typeof freshness>;
export type CatalogTable = z.output<typeof catalogTable>;
export type Metadata = z.output<typeof metadata>;
