// Reviews of changes in GraphQL.

import { builder } from '../graphql/builder.ts';
import { weighing } from '../graphql/limits/weight.ts';
import { loadIntegration } from '../integrations/integration.ts';
import { textSource } from '../integrations/readers/source.ts';
import { IntegrationRef } from '../integrations/schema.ts';
import { ImpactRef } from '../lineage/impact/impact-schema.ts';
import { IncidentRef } from '../monitors/incidents/schema.ts';
import { MonitorRef } from '../monitors/schema.ts';
import { UserRef } from '../people/schema.ts';
import type { ColumnChange, ModelChange } from './compare.ts';
import { type Review, reviewManifest } from './review.ts';

const ColumnChangeRef = builder.objectRef<ColumnChange>('ColumnChange').implement({
  description: 'What a change does to a column: its type, or the SQL that makes it.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    before: t.exposeString('before', { description: 'What it is in the catalog.' }),
    after: t.exposeString('after', { description: 'What it becomes.' }),
  }),
});

const ModelChangeRef = builder.objectRef<ModelChange>('ModelChange').implement({
  description: 'What a change does to a model.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Database, schema and title, with dots.' }),
    reasons: t.stringList({
      description: 'What changes apart from its columns, in words.',
      resolve: ({ reasons }) => [...reasons],
    }),
    addedColumns: t.stringList({
      description: 'Columns that are added.',
      resolve: ({ added }) => [...added],
    }),
    removedColumns: t.stringList({
      description: 'Columns that are removed.',
      resolve: ({ removed }) => [...removed],
    }),
    changedColumns: t.field({
      type: [ColumnChangeRef],
      description: 'Columns that change.',
      resolve: ({ changed }) => [...changed],
    }),
  }),
});

const ReviewRef = builder.objectRef<Review>('ManifestImpact').implement({
  description: 'What a change of a transformation project would do, and whom to notify.',
  fields: (t) => ({
    integrationId: t.id({
      description: 'The project it was compared with.',
      resolve: ({ integration }) => integration.id,
    }),
    integration: t.field({
      type: IntegrationRef,
      nullable: true,
      description: 'The project it was compared with.',
      resolve: ({ integration }, _args, ctx) => loadIntegration(ctx, integration.id),
    }),
    added: t.field({
      type: [ModelChangeRef],
      description: 'Models that the catalog does not have.',
      resolve: ({ comparison }) => [...comparison.added],
    }),
    removed: t.field({
      type: [ModelChangeRef],
      description: 'Models that the manifest no longer names.',
      resolve: ({ comparison }) => [...comparison.removed],
    }),
    changed: t.field({
      type: [ModelChangeRef],
      description: 'Models that differ.',
      resolve: ({ comparison }) => [...comparison.changed],
    }),
    unchanged: t.int({
      description: 'How many models stay as they are.',
      resolve: ({ comparison }) => comparison.unchanged,
    }),
    impact: t.field({
      type: ImpactRef,
      nullable: true,
      description: 'What is downstream of what is removed or changed; null where nothing is.',
      resolve: (review) => review.impact,
    }),
    owners: t.field({
      type: [UserRef],
      description: 'Owners of what is touched and reached, those in owning groups included.',
      resolve: ({ owners }) => [...owners],
    }),
    monitors: t.field({
      type: [MonitorRef],
      description: 'Monitors on what is touched and reached.',
      resolve: ({ monitors }) => [...monitors],
    }),
    openIncidents: t.field({
      type: [IncidentRef],
      description: 'Incidents there that are not resolved.',
      resolve: ({ incidents }) => [...incidents],
    }),
    unknown: t.stringList({
      description: 'What could not be determined, in sentences.',
      resolve: ({ unknown }) => [...unknown],
    }),
    markdown: t.exposeString('markdown', {
      description: 'A summary in Markdown, to be put under the change as it is.',
    }),
  }),
});

/** A manifest in a mutation's or query's text is bounded by the body; this is a second thought. */
const maxBytes = 64 * 1024 * 1024;

builder.queryField('impactOfManifest', (t) =>
  t.field({
    type: ReviewRef,
    description:
      'Compare a manifest that is not imported yet with the catalog. Large ones go over REST.',
    args: {
      manifest: t.arg.string({ required: true, description: 'The text of a manifest.json.' }),
      integrationId: t.arg.id({ description: 'The project, where there are several.' }),
    },
    extensions: weighing({ own: 50_000, isUnbounded: true }),
    resolve: (_root, { manifest, integrationId }, ctx) =>
      reviewManifest(ctx, textSource('manifest.json', manifest), { integrationId, maxBytes }),
  }),
);
