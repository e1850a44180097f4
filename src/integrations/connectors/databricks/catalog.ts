// Reads the catalog of Databricks over Unity Catalog's REST interface, which needs no warehouse and costs nothing.

import { z } from 'zod';
import {
  askApi,
  callOf,
  type HttpApi,
  type HttpCall,
  parsed,
} from '../../http-sources/http-api.ts';
import type { Extraction } from '../../readers/extraction.ts';
import { describeSchema, describeTable } from '../catalog.ts';
import type { Ask } from '../connector.ts';
import { rowsIfAllowed } from '../login-rights.ts';
import type { SchemaChoice } from '../patterns.ts';
import type { TableReads } from '../reads.ts';
import { text } from '../source-answer.ts';
import { databricksReads } from './history.ts';

const timeoutMs = 300_000;
/** Catalogs and schemas of Databricks' own; the old metastore answers only statements of its own. */
const ownCatalogs = ['system', 'samples', '__databricks_internal', 'hive_metastore'];

const named = z.object({ name: z.string(), comment: z.string().nullish() });
const tableInfo = named.extend({
  table_type: z.string().nullish(),
  data_source_format: z.string().nullish(),
  owner: z.string().nullish(),
  view_definition: z.string().nullish(),
  updated_at: z.number().nullish(),
  columns: z
    .array(
      z.object({
        name: z.string(),
        type_text: z.string().nullish(),
        type_name: z.string().nullish(),
        position: z.number().nullish(),
        comment: z.string().nullish(),
        nullable: z.boolean().nullish(),
      }),
    )
    .nullish(),
});
type TableInfo = z.infer<typeof tableInfo>;

const catalogs = z.object({
  catalogs: z.array(named).default([]),
  next_page_token: z.string().optional(),
});
const schemas = z.object({
  schemas: z.array(named).default([]),
  next_page_token: z.string().optional(),
});
const tables = z.object({
  tables: z.array(tableInfo).default([]),
  next_page_token: z.string().optional(),
});

/** A schema of a catalog. */
export interface UnitySchema {
  readonly catalog: string;
  readonly schema: string;
  readonly comment: string | null;
}

/** The schemas that may be read. */
export async function* unitySchemas(
  call: HttpCall,
  choice: SchemaChoice,
): AsyncGenerator<UnitySchema> {
  for await (const { catalogs: some } of pages(call, 'catalogs', {}, catalogs)) {
    for (const { name: catalog } of some) {
      if (ownCatalogs.includes(catalog) || !choice.database(catalog)) continue;
      for await (const { schemas: own } of pages(
        call,
        'schemas',
        { catalog_name: catalog },
        schemas,
      )) {
        for (const { name: schema, comment } of own) {
          if (schema === 'information_schema' || !choice.schema(catalog, schema)) continue;
          yield { catalog, schema, comment: comment ?? null };
        }
      }
    }
  }
}

/** A call that lists, on connections of its own. */
export function listing(api: HttpApi, signal?: AbortSignal): Promise<HttpCall> {
  return callOf(api, timeoutMs, signal);
}

/** The pages of a list; one may be empty and have a next one all the same. */
async function* pages<Page extends { next_page_token?: string | undefined }>(
  call: HttpCall,
  what: string,
  query: Readonly<Record<string, string>>,
  schema: z.ZodType<Page>,
): AsyncGenerator<Page> {
  for (let token: string | undefined = ''; token !== undefined; ) {
    const asked = new URLSearchParams({
      max_results: '0',
      ...query,
      ...(token ? { page_token: token } : {}),
    });
    const fresh = { ...call, deadline: Date.now() + timeoutMs };
    const path = `/api/2.1/unity-catalog/${what}?${asked}`;
    const page: Page = parsed(call.api, schema, await askApi(fresh, { method: 'GET', path }));
    yield page;
    token = page.next_page_token || undefined;
  }
}

/** All that the login may see of the catalogs that are chosen. */
export async function* extractDatabricks(
  ask: Ask,
  call: HttpCall,
  choice: SchemaChoice,
  note: (line: string) => void,
): Extraction {
  const reads = await databricksReads(ask, call.signal);
  for await (const place of unitySchemas(call, choice)) {
    const { catalog, schema } = place;
    yield* describeSchema({ database: catalog, schema, description: place.comment });
    const tagsOf = await tagsIn(ask, catalog, schema);
    const query = {
      catalog_name: catalog,
      schema_name: schema,
      omit_properties: 'true',
      include_browse: 'true',
    };
    for await (const page of pages(call, 'tables', query, tables)) {
      for (const table of page.tables) yield* describe(place, table, { reads, tagsOf, note });
    }
  }
}

interface Around {
  readonly reads: TableReads | null;
  readonly tagsOf: ((table: string, column: string) => readonly string[]) | null;
  note(line: string): void;
}

function* describe({ catalog, schema }: UnitySchema, table: TableInfo, around: Around) {
  const path = [catalog, schema, table.name];
  const sql = table.view_definition;
  yield* describeTable(
    {
      ...{ database: catalog, schema, table: table.name },
      nativeType: nativeTypeOf(table.table_type ?? ''),
      description: table.comment ?? null,
      tags: around.tagsOf?.(table.name, ''),
      updatedAt: table.updated_at ? new Date(table.updated_at) : null,
      creationQuery: sql ? `CREATE VIEW ${path.map(quoted).join('.')} AS\n${sql}` : null,
      ...(around.reads ? { usage: around.reads(path) } : {}),
      metadata: {
        ...(table.data_source_format ? { format: table.data_source_format } : {}),
        ...(table.owner ? { owner: table.owner } : {}),
      },
    },
    (table.columns ?? []).map((column, at) => ({
      name: column.name,
      type: column.type_text ?? column.type_name ?? '',
      // They count from 0.
      position: (column.position ?? at) + 1,
      description: column.comment ?? null,
      ...(column.nullable == null ? {} : { isNullable: column.nullable }),
      tags: around.tagsOf?.(table.name, column.name),
    })),
    around.note,
  );
}

function nativeTypeOf(type: string): string {
  if (type === 'MANAGED' || type === '') return 'table';
  const words = type.toLowerCase().replaceAll('_', ' ');
  return /view|table|clone/.test(words) ? words : `${words} table`;
}

/** The tags of a schema's tables and columns; null where they may not be read. */
async function tagsIn(ask: Ask, catalog: string, schema: string) {
  const from = `${quoted(catalog)}.information_schema`;
  const rows = await rowsIfAllowed(
    ask,
    `SELECT table_name, '' AS column_name, tag_name, tag_value FROM ${from}.table_tags
      WHERE schema_name = ${literal(schema)}
      UNION ALL SELECT table_name, column_name, tag_name, tag_value FROM ${from}.column_tags
      WHERE schema_name = ${literal(schema)} ORDER BY 1, 2, 3`,
    timeoutMs,
  );
  if (!rows) return null;
  const tags = new Map<string, string[]>();
  for (const [table, column, name, value] of rows) {
    const key = JSON.stringify([text(table), text(column)]);
    const label = text(value) === '' ? text(name) : `${text(name)}: ${text(value)}`;
    tags.set(key, [...(tags.get(key) ?? []), label]);
  }
  return (table: string, column: string) => tags.get(JSON.stringify([table, column])) ?? [];
}

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
/** A text in SQL. */
export const literal = (value: string): string => `'${value.replace(/[\\']/g, '\\$&')}'`;
