// The tables and columns that a query names, as GraphQL shows them.

import { isAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { builder } from '../../graphql/builder.ts';
import { parseKind } from '../../resources/kind.ts';
import { ResourceKind, resourceAt } from '../../resources/schema.ts';
import type { QueryColumn, QueryTable } from './catalog-terms.ts';
import type { LineageResource } from './warehouse.ts';

function integrationTitle(ctx: Context, known: LineageResource | null): string | null {
  return isAllowed(ctx, 'read integrations') ? (known?.integrationTitle ?? null) : null;
}

export const QueryTableRef = builder.objectRef<QueryTable>('QueryTable').implement({
  description:
    'A table that a query names. Its id and dates are null if the catalog does not have it.',
  fields: (t) => ({
    id: t.id({ nullable: true, description: 'Its id.', resolve: ({ known }) => known?.id ?? null }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was added to the catalog.',
      resolve: ({ known }) => known?.createdAt ?? null,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it last changed in the catalog.',
      resolve: ({ known }) => known?.updatedAt ?? null,
    }),
    name: t.exposeString('name', { description: 'Its name in the query, with the defaults.' }),
    title: t.string({
      description: 'Its title, or the last part of its name.',
      resolve: ({ known, path, name }) => known?.title ?? path.at(-1) ?? name,
    }),
    schemaName: t.string({
      nullable: true,
      description: 'Its schema.',
      resolve: ({ known, path }) => (known ? known.schemaName : (path.at(-2) ?? null)),
    }),
    databaseName: t.string({
      nullable: true,
      description: 'Its database.',
      resolve: ({ known, path }) => (known ? known.databaseName : (path.at(-3) ?? null)),
    }),
    nativeType: t.string({
      nullable: true,
      description: 'Its type in the source.',
      resolve: ({ known }) => known?.nativeType ?? null,
    }),
    integrationId: t.id({
      nullable: true,
      description: 'Integration it came from.',
      resolve: ({ known }) => known?.integrationId ?? null,
    }),
    integrationTitle: t.string({
      nullable: true,
      description: 'Name of that integration, for those who may read integrations.',
      resolve: ({ known }, _args, ctx) => integrationTitle(ctx, known),
    }),
    integrationType: t.string({
      nullable: true,
      description: 'Type of that integration.',
      resolve: ({ known }) => known?.integrationType ?? null,
    }),
    resource: t.field(
      resourceAt('The table in the catalog.', ({ known }: QueryTable) => known?.id),
    ),
  }),
});

export const QueryColumnRef = builder.objectRef<QueryColumn>('QueryColumn').implement({
  description: 'A column that a query names. Its id is null if the catalog does not have it.',
  fields: (t) => ({
    id: t.id({ nullable: true, description: 'Its id.', resolve: ({ known }) => known?.id ?? null }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was added to the catalog.',
      resolve: ({ known }) => known?.createdAt ?? null,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it last changed in the catalog.',
      resolve: ({ known }) => known?.updatedAt ?? null,
    }),
    title: t.string({
      description: 'Its name; * stands for all columns of a table that is not known.',
      resolve: ({ known, name }) => known?.title ?? name,
    }),
    kind: t.field({
      type: ResourceKind,
      description: 'Always column.',
      resolve: () => parseKind('column'),
    }),
    type: t.string({
      nullable: true,
      description: 'Its data type.',
      resolve: ({ known }) => known?.type ?? null,
    }),
    schemaName: t.string({
      nullable: true,
      description: 'Schema of its table.',
      resolve: ({ table }) => table?.known?.schemaName ?? table?.path.at(-2) ?? null,
    }),
    databaseName: t.string({
      nullable: true,
      description: 'Database of its table.',
      resolve: ({ table }) => table?.known?.databaseName ?? table?.path.at(-3) ?? null,
    }),
    nativeType: t.string({
      nullable: true,
      description: 'Its type in the source.',
      resolve: ({ known }) => known?.nativeType ?? null,
    }),
    integrationId: t.id({
      nullable: true,
      description: 'Integration it came from.',
      resolve: ({ table }) => table?.known?.integrationId ?? null,
    }),
    integrationTitle: t.string({
      nullable: true,
      description: 'Name of that integration, for those who may read integrations.',
      resolve: ({ table }, _args, ctx) => integrationTitle(ctx, table?.known ?? null),
    }),
    integrationType: t.string({
      nullable: true,
      description: 'Type of that integration.',
      resolve: ({ table }) => table?.known?.integrationType ?? null,
    }),
    table: t.field({
      type: QueryTableRef,
      nullable: true,
      description: 'Its table; null for a column of a query that fills no table.',
      resolve: ({ table }) => table,
    }),
  }),
});
