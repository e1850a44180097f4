// The facets that are kept. Any other is dropped before it is stored: those of producers hold settings, passwords included.

import { ownersOf } from '../../integrations/readers/owner-name.ts';
import { type Assertion, assertionsOf, testsOf } from './assertions.ts';
import { type DatasetName, nameOf, readName, textLimits } from './dataset-name.ts';
import { type ColumnFlow, columnLineageFlows, lineageFlows } from './flows.ts';
import { compact, countOf, itemsOf, membersOf, textOf } from './loose.ts';

/** A field of a dataset; fields of structures have fields. */
export interface SchemaField {
  readonly name: string;
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly fields?: readonly SchemaField[] | undefined;
}

/** What is kept of the facets of a dataset. */
export interface DatasetFacets {
  readonly schema?: readonly SchemaField[] | undefined;
  readonly documentation?: string | undefined;
  readonly owners?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly symlinks?: readonly (DatasetName & { readonly isTable: boolean })[] | undefined;
  /** CREATE, DROP, RENAME and so on. */
  readonly change?: string | undefined;
  readonly previous?: DatasetName | undefined;
  readonly type?: string | undefined;
  readonly rowCount?: number | undefined;
  readonly byteSize?: number | undefined;
  readonly assertions?: readonly Assertion[] | undefined;
  readonly columnLineage?: readonly ColumnFlow[] | undefined;
  readonly lineage?: readonly ColumnFlow[] | undefined;
}

/** What is kept of the facets of a job. */
export interface JobFacets {
  readonly integration?: string | undefined;
  readonly jobType?: string | undefined;
  readonly isStreaming?: true | undefined;
  readonly documentation?: string | undefined;
  readonly owners?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly sql?: string | undefined;
  readonly dialect?: string | undefined;
  readonly url?: string | undefined;
}

/** A job, and a run of it; undefined where only the job is named. */
export interface RunReference extends DatasetName {
  readonly runId?: string | undefined;
}

/** What is kept of the facets of a run. */
export interface RunFacets {
  readonly parent?: RunReference | undefined;
  readonly root?: RunReference | undefined;
  readonly nominalStart?: string | undefined;
  readonly nominalEnd?: string | undefined;
  readonly error?: string | undefined;
  readonly engine?: string | undefined;
  readonly tests?: readonly Assertion[] | undefined;
}

const most = { fields: 5_000, nesting: 10, list: 100, tests: 1_000 } as const;

/** What is kept of facets of a dataset, of those of it as an input or output as well. */
export function datasetFacets(dataset: Readonly<Record<string, unknown>>): DatasetFacets {
  const facets = membersOf(dataset.facets);
  const input = membersOf(dataset.inputFacets);
  const output = membersOf(dataset.outputFacets);
  const { lifecycleStateChange, previousIdentifier } = membersOf(facets.lifecycleStateChange);
  const statistics = membersOf(output.outputStatistics ?? facets.outputStatistics);
  const metrics = membersOf(input.dataQualityMetrics ?? facets.dataQualityMetrics);
  const assertions = assertionsOf(input.dataQualityAssertions ?? facets.dataQualityAssertions);
  const columnLineage = columnLineageFlows(facets.columnLineage);
  const lineage = lineageFlows(facets.lineage);
  const hasLineage = facets.lineage !== undefined && lineage.length > 0;
  return compact({
    schema: schemaOf(facets.schema),
    documentation: textOf(membersOf(facets.documentation).description, textLimits.text),
    owners: ownersIn(facets.ownership),
    tags: tagsOf(facets.tags),
    symlinks: symlinksOf(facets.symlinks),
    change: textOf(lifecycleStateChange, 40)?.toUpperCase(),
    previous: readName(previousIdentifier),
    type: textOf(membersOf(facets.datasetType).datasetType, textLimits.word),
    rowCount: countOf(statistics.rowCount) ?? countOf(metrics.rowCount),
    byteSize: countOf(statistics.size) ?? countOf(metrics.bytes),
    assertions: assertions.length > 0 ? assertions : undefined,
    columnLineage: columnLineage.length > 0 ? columnLineage : undefined,
    lineage: hasLineage ? lineage : undefined,
  });
}

/** What is kept of facets of a job. */
export function jobFacets(given: unknown): JobFacets {
  const facets = membersOf(given);
  const { integration, jobType, processingType } = membersOf(facets.jobType);
  const { query, dialect } = membersOf(facets.sql);
  const location = membersOf(facets.sourceCodeLocation);
  const isStreaming = textOf(processingType, 40)?.toUpperCase() === 'STREAMING';
  return compact({
    integration: textOf(integration, textLimits.word),
    jobType: textOf(jobType, textLimits.word),
    isStreaming: isStreaming ? (true as const) : undefined,
    documentation: textOf(membersOf(facets.documentation).description, textLimits.text),
    owners: ownersIn(facets.ownership),
    tags: tagsOf(facets.tags),
    sql: wholeText(query, textLimits.sql),
    dialect: textOf(dialect, textLimits.word),
    url: addressOf(location.url),
  });
}

/** What is kept of facets of a run. */
export function runFacets(
  given: unknown,
  timeOf: (value: unknown) => string | undefined,
): RunFacets {
  const facets = membersOf(given);
  const parent = membersOf(facets.parent ?? facets.parentRun);
  const nominal = membersOf(facets.nominalTime);
  const engine = membersOf(facets.processing_engine);
  const tests = testsOf(facets.test);
  return compact({
    parent: referenceOf(parent),
    root: referenceOf(membersOf(parent.root)),
    nominalStart: timeOf(nominal.nominalStartTime),
    nominalEnd: timeOf(nominal.nominalEndTime),
    error: textOf(membersOf(facets.errorMessage).message, textLimits.name),
    engine: textOf(engine.name, textLimits.word),
    tests: tests.length > 0 ? tests : undefined,
  });
}

/** What the facet `lineage` of a job or run says, by the dataset that data flows into. */
export function lineageEntries(facet: unknown): (DatasetName & { flows: ColumnFlow[] })[] {
  return itemsOf(membersOf(facet).lineage, most.tests).flatMap((entry) => {
    const name = readName(entry);
    if (!name || membersOf(entry).type === 'JOB') return [];
    return [{ ...name, flows: lineageFlows(entry) }];
  });
}

const kept = {
  dataset: new Set([
    ...['schema', 'documentation', 'ownership', 'tags', 'symlinks', 'lifecycleStateChange'],
    ...['datasetType', 'outputStatistics', 'dataQualityMetrics', 'dataQualityAssertions'],
    ...['columnLineage', 'lineage'],
  ]),
  job: new Set([
    ...['jobType', 'sql', 'documentation', 'ownership', 'tags', 'sourceCodeLocation', 'lineage'],
  ]),
  run: new Set([
    ...[
      'parent',
      'parentRun',
      'nominalTime',
      'errorMessage',
      'processing_engine',
      'test',
      'lineage',
    ],
  ]),
} as const;

/** How many facets of an object are dropped as a whole. */
export function droppedFacets(facets: unknown, of: keyof typeof kept): number {
  return Object.keys(membersOf(facets)).filter((name) => !kept[of].has(name)).length;
}

function schemaOf(facet: unknown): readonly SchemaField[] | undefined {
  const { fields } = membersOf(facet);
  if (!Array.isArray(fields)) return undefined;
  const left: { fields: number } = { fields: most.fields };
  return fieldsOf(fields, left, most.nesting);
}

function fieldsOf(
  fields: readonly unknown[],
  left: { fields: number },
  levels: number,
): SchemaField[] {
  const found: SchemaField[] = [];
  for (const field of fields) {
    const members = membersOf(field);
    const name = nameOf(members.name);
    if (name === undefined) continue;
    if (left.fields === 0) break;
    left.fields -= 1;
    const within = Array.isArray(members.fields) && levels > 1 ? members.fields : [];
    const nested = fieldsOf(within, left, levels - 1);
    found.push(
      compact({
        name,
        type: textOf(members.type, textLimits.name),
        description: textOf(members.description, textLimits.text),
        fields: nested.length > 0 ? nested : undefined,
      }),
    );
  }
  return found;
}

function ownersIn(facet: unknown): string[] | undefined {
  const owners = itemsOf(membersOf(facet).owners, most.list).map((owner) => membersOf(owner).name);
  const names = ownersOf(owners);
  return names.length > 0 ? names.sort() : undefined;
}

/** Tags of a thing as a whole: `key`, or `key:value` where the value says more than that it is so. */
function tagsOf(facet: unknown): string[] | undefined {
  const tags = itemsOf(membersOf(facet).tags, most.list).flatMap((tag) => {
    const members = membersOf(tag);
    const key = textOf(members.key, 100);
    if (key === undefined || members.field !== undefined) return [];
    const value = textOf(members.value, 100);
    return [value === undefined || value.toLowerCase() === 'true' ? key : `${key}:${value}`];
  });
  return tags.length > 0 ? [...new Set(tags)].sort() : undefined;
}

function symlinksOf(facet: unknown): DatasetFacets['symlinks'] {
  const found = itemsOf(membersOf(facet).identifiers, most.list).flatMap((identifier) => {
    const name = readName(identifier);
    const isTable = textOf(membersOf(identifier).type, 40)?.toUpperCase() === 'TABLE';
    return name ? [{ ...name, isTable }] : [];
  });
  return found.length > 0 ? found : undefined;
}

function referenceOf(facet: Readonly<Record<string, unknown>>): RunReference | undefined {
  const job = readName(facet.job);
  return job && compact({ ...job, runId: nameOf(membersOf(facet.run).runId) });
}

/** A text as a whole, or not at all: a part of a query is another query. */
function wholeText(value: unknown, longest: number): string | undefined {
  const text = textOf(value, longest + 1);
  return text === undefined || text.length > longest ? undefined : text;
}

/** An address that a browser opens, without what signs in there. */
function addressOf(value: unknown): string | undefined {
  const text = textOf(value, textLimits.name);
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) return undefined;
  url.username = '';
  url.password = '';
  return url.href;
}
