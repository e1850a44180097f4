// Imports in GraphQL: small files as text, what an import did, and who fails tests.

import { builder } from '../../graphql/builder.ts';
import { weighing } from '../../graphql/limits/weight.ts';
import { checkCount } from '../../lists/page.ts';
import { readDeclaredMonitors } from '../../monitors/declarations/declare.ts';
import { parseKind } from '../../resources/kind.ts';
import { ResourceKind, resourceAt } from '../../resources/schema.ts';
import { type FailingTests, listFailingTests, type TestCounts } from '../data-tests/data-test.ts';
import { textSource } from '../readers/source.ts';
import { ImportChange, SharedCountsRef } from './change-schema.ts';
import type { MonitorCounts } from './declared.ts';
import type { EdgeCounts } from './edges/merge-edges.ts';
import { maxListed } from './listed.ts';
import type { ImportCounts, ImportReport } from './options.ts';
import type { Taken, TakenKeys } from './planning/taken.ts';
import type { Ignored } from './staging/problems.ts';
import { importArtifacts, importCsv, importJsonl, reportImport, type SyncOptions } from './sync.ts';

const LineageCounts = builder
  .objectRef<EdgeCounts & { unknown: number }>('ImportLineageCounts')
  .implement({
    description: 'What an import makes of lineage edges.',
    fields: (t) => ({
      created: t.exposeInt('created', { description: 'Edges that are new.' }),
      ended: t.exposeInt('ended', { description: 'Edges that the source no longer names.' }),
      unchanged: t.exposeInt('unchanged', { description: 'Edges that were there.' }),
      unknown: t.exposeInt('unknown', {
        description: 'Lines that point at nothing the catalog knows; they make no edges.',
      }),
    }),
  });

const TestCountsType = builder.objectRef<TestCounts>('ImportTestCounts').implement({
  description: "What an import makes of a project's tests.",
  fields: (t) => ({
    created: t.exposeInt('created', { description: 'Tests that are new.' }),
    updated: t.exposeInt('updated', { description: 'Tests whose declaration changed.' }),
    staled: t.exposeInt('staled', { description: 'Tests that are no longer declared.' }),
    unchanged: t.exposeInt('unchanged', { description: 'Tests that are as they were.' }),
    results: t.exposeInt('results', { description: 'Results of runs that were not known yet.' }),
  }),
});

const MonitorCountsType = builder.objectRef<MonitorCounts>('ImportMonitorCounts').implement({
  description: "What an import makes of the monitors that a project's `meta` declares.",
  fields: (t) => ({
    created: t.exposeInt('created', { description: 'Monitors that are new.' }),
    updated: t.exposeInt('updated', { description: 'Monitors whose declaration changed.' }),
    removed: t.exposeInt('removed', {
      description: 'Monitors that are no longer declared; they are disabled.',
    }),
    unchanged: t.exposeInt('unchanged', { description: 'Monitors that are as they were.' }),
    waiting: t.exposeInt('waiting', {
      description: 'Monitors that are not made, because no source of their tables is connected.',
    }),
  }),
});

const TakenRef = builder.objectRef<Taken>('ImportTakenKey').implement({
  description: 'A key that names something of another kind since an import than before.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The key.' }),
    kind: t.field({
      type: ResourceKind,
      description: 'Kind of what the file calls by it.',
      resolve: ({ kind }) => parseKind(kind),
    }),
    fromId: t.id({
      description: 'The resource that had it. It stays as it is, without the key.',
      resolve: ({ from }) => from.id,
    }),
    from: t.field(
      resourceAt(
        'The resource that had it, where the viewer may see it.',
        ({ from }: Taken) => from.id,
      ),
    ),
    fromKind: t.field({
      type: ResourceKind,
      description: 'Its kind.',
      resolve: ({ from }) => parseKind(from.kind),
    }),
    fromTitle: t.string({ description: 'Its full title.', resolve: ({ from }) => from.title }),
  }),
});

const TakenKeysRef = builder.objectRef<TakenKeys>('ImportTakenKeys').implement({
  description: 'Keys that an import takes from resources of another kind.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'How many those are.' }),
    first: t.field({
      type: [TakenRef],
      description: 'The first of them, at most 100.',
      resolve: ({ first }) => [...first],
    }),
  }),
});

const IgnoredRef = builder.objectRef<Ignored>('ImportIgnored').implement({
  description: 'Things of one sort that the files name and the catalog has no place for.',
  fields: (t) => ({
    sort: t.exposeString('sort', { description: 'What they are, in the word of the file.' }),
    count: t.exposeInt('count', { description: 'How many there are.' }),
  }),
});

export const ImportResult = builder.objectRef<ImportReport>('ImportResult').implement({
  description: 'What an import did or, on a dry run, would do.',
  fields: (t) => ({
    created: t.exposeInt('created', { description: 'Resources that are new.' }),
    updated: t.exposeInt('updated', { description: 'Resources that changed.' }),
    staled: t.exposeInt('staled', { description: 'Resources that the source no longer names.' }),
    unchanged: t.exposeInt('unchanged', { description: 'Resources that are as they were.' }),
    shared: t.expose('shared', {
      type: SharedCountsRef,
      description: 'Resources that other integrations describe as well.',
    }),
    changes: t.field({
      type: [ImportChange],
      description:
        'The resources that change, one by one: those that become stale, those that change, those that are new.',
      args: {
        first: t.arg.int({
          defaultValue: maxListed,
          description: `How many, 1 to 1,000; there are ${maxListed} at most.`,
        }),
      },
      resolve: ({ changes }, { first }) => {
        const wanted = first ?? maxListed;
        checkCount('first', wanted);
        return changes.slice(0, wanted);
      },
    }),
    taken: t.expose('taken', {
      type: TakenKeysRef,
      description: 'Keys that named something of another kind before.',
    }),
    lineage: t.expose('lineage', { type: LineageCounts, description: 'Lineage edges.' }),
    tests: t.expose('tests', { type: TestCountsType, description: "The project's tests." }),
    monitors: t.expose('monitors', {
      type: MonitorCountsType,
      description: "The project's monitors.",
    }),
    ignored: t.field({
      type: [IgnoredRef],
      description:
        'What was not read, as the catalog has no place for it: the most numerous sorts first.',
      resolve: ({ ignored }) => [...ignored],
    }),
    problems: t.stringList({
      description:
        'What is odd in the files and was taken all the same, a sentence each; at most 100.',
      resolve: ({ problems }) => [...problems],
    }),
  }),
});

const FailingTestsType = builder.objectRef<FailingTests>('FailingTests').implement({
  description: 'Resources with tests that fail or warn, by the latest run.',
  fields: (t) => ({
    failing: t.exposeIDList('failing', { description: 'Resources that fail a test.' }),
    warning: t.exposeIDList('warning', { description: 'Resources whose tests only warn.' }),
  }),
});

builder.queryField('failingTests', (t) =>
  t.field({
    type: FailingTestsType,
    nullable: true,
    description:
      'Resources of an integration whose tests fail or warn: the column a test is about, or else its ' +
      'table. Admins and editors may read them.',
    args: { integrationId: t.arg.id({ required: true, description: 'Id of the integration.' }) },
    resolve: (_root, { integrationId }, ctx) => listFailingTests(ctx, integrationId),
  }),
);

builder.mutationFields((t) => {
  const common = {
    integrationId: t.arg.id({ required: true, description: 'Id of the integration.' }),
    stale: t.arg.boolean({
      defaultValue: true,
      description: 'Whether what the files no longer name becomes stale.',
    }),
    force: t.arg.boolean({
      defaultValue: false,
      description:
        'Import it also where it names nothing, or makes more than half of at least 20 resources stale.',
    }),
    dryRun: t.arg.boolean({
      defaultValue: false,
      description: 'Answer what would be done, and change nothing.',
    }),
  };
  return {
    importCsv: t.field({
      type: ImportResult,
      description:
        'Import a small CSV file of tables and columns, given as text; larger ones go through the ' +
        'upload of the REST API. Admins may. All or nothing.',
      args: { ...common, content: t.arg.string({ required: true, description: 'The file.' }) },
      extensions: weighing({ isUnbounded: true }),
      resolve: (_root, { integrationId, content, ...options }, ctx) =>
        listing(options, (chosen) =>
          importCsv(ctx, integrationId, textSource('content', content), chosen),
        ),
    }),
    importJsonl: t.field({
      type: ImportResult,
      description: 'Import small JSONL files of resources and lineages, given as text. Admins may.',
      args: {
        ...common,
        resources: t.arg.string({ description: 'The file of resources, a JSON object a line.' }),
        lineages: t.arg.string({ description: 'The file of lineages, a JSON object a line.' }),
      },
      extensions: weighing({ isUnbounded: true }),
      resolve: (_root, { integrationId, resources, lineages, ...options }, ctx) => {
        const sources = {
          resources: given('resources', resources),
          lineages: given('lineages', lineages),
        };
        return listing(options, (chosen) => importJsonl(ctx, integrationId, sources, chosen));
      },
    }),
    importArtifacts: t.field({
      type: ImportResult,
      description: 'Import small artifacts of a transformation project, given as text. Admins may.',
      args: {
        ...common,
        manifest: t.arg.string({ description: 'manifest.json' }),
        runResults: t.arg.string({
          description:
            'The file run_results.json; the upload of the REST API takes those of several runs.',
        }),
        catalog: t.arg.string({ description: 'catalog.json' }),
        sources: t.arg.string({
          description: 'The file sources.json: how fresh its sources were.',
        }),
      },
      extensions: weighing({ isUnbounded: true }),
      resolve: (_root, args, ctx) => {
        const { integrationId, manifest, runResults, catalog, sources, ...options } = args;
        const artifacts = {
          manifest: given('manifest', manifest),
          runResults: runResults == null ? [] : [textSource('run_results', runResults)],
          catalog: given('catalog', catalog),
          sources: given('sources', sources),
        };
        return listing(options, (chosen) =>
          importArtifacts(ctx, integrationId, artifacts, readDeclaredMonitors, chosen),
        );
      },
    }),
  };
});

function given(file: string, content: string | null | undefined) {
  return content == null ? undefined : textSource(file, content);
}

interface Choices {
  readonly stale?: boolean | null | undefined;
  readonly force?: boolean | null | undefined;
  readonly dryRun?: boolean | null | undefined;
}

function listing(
  { stale, force, dryRun }: Choices,
  run: (options: SyncOptions) => Promise<ImportCounts>,
): Promise<ImportReport> {
  return reportImport(
    { stale: stale ?? true, force: force ?? false, dryRun: dryRun ?? false },
    run,
  );
}
