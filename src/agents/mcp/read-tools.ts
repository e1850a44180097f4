// The tools that read lineage, quality and what people wrote: what each is given, and what it says of itself.

import { z } from 'zod';
import { catalogTools } from './catalog-tools.ts';
import {
  after,
  depth,
  first,
  id,
  ids,
  level,
  maxDepth,
  maxText,
  maxWords,
  nodes,
  oneOf,
  words,
} from './input.ts';
import type { Tool } from './tool.ts';

/** The tools that read by name, in the order in which they are listed. */
export const readTools: readonly (readonly [string, Tool])[] = [
  ...catalogTools,
  [
    'lineage',
    {
      title: 'Show lineage',
      description:
        'Where data comes from (UPSTREAM) and what is made of it (DOWNSTREAM). Edges lead from source to ' +
        'target; `expression` is the SQL that makes a column. `truncated` says that there is more. ' +
        'Example: {"id": "core.fct_orders", "direction": "UPSTREAM", "depth": 2}.',
      names: ['id'],
      input: z.strictObject({
        id,
        direction: z.enum(['UPSTREAM', 'DOWNSTREAM', 'BOTH']).default('BOTH'),
        depth: depth.default(3).describe('Steps to walk.'),
        level,
        maxNodes: nodes,
      }),
    },
  ],
  [
    'lineage_path',
    {
      title: 'Find how data gets from one place to another',
      description:
        'A shortest path along which data flows; null where there is none. Example: {"from": ' +
        '"shop.public.orders", "to": "core.fct_orders"}.',
      names: ['from', 'to'],
      input: z.strictObject({ from: id, to: id, level }),
    },
  ],
  [
    'impact',
    {
      title: 'Say what a change would reach',
      description:
        'What breaks if these tables or columns change: what is downstream, why, and who owns it. ' +
        '`possible` lists what may be reached. Example: {"of": ["orders.discount_code"]}.',
      names: ['of'],
      input: z.strictObject({
        of: ids.describe('What changes.'),
        depth: depth.default(maxDepth).describe('Steps to walk.'),
        maxNodes: nodes,
      }),
    },
  ],
  [
    'impact_of_manifest',
    {
      title: 'Review a change of a dbt project',
      description:
        'Compare a manifest.json that is not imported yet with the catalog: what changes, what that ' +
        'reaches, and whom to notify. Example: {"manifest": "{\\"metadata\\": ...}"}.',
      input: z.strictObject({
        manifest: z.string().min(1).max(maxText).describe('The text of a manifest.json.'),
        integrationId: z.uuid().optional().describe('The project, where there are several.'),
      }),
    },
  ],
  [
    'sql_lineage',
    {
      title: 'Read lineage from SQL',
      description:
        'Which tables and columns a query reads and writes. Runs nothing and stores nothing. ' +
        'Example: {"sql": "select id from orders", "dialect": "postgres"}.',
      input: z.strictObject({
        sql: z.string().min(1).max(maxText),
        dialect: z.string().min(1).max(maxWords).describe('Such as postgres, snowflake, bigquery.'),
        defaultDatabase: z.string().max(maxWords).optional(),
        defaultSchema: z.string().max(maxWords).optional(),
      }),
    },
  ],
  [
    'monitors',
    {
      title: 'List monitors',
      description:
        'Monitors of data quality, with their latest values. Example: {"status": "incident"}.',
      names: ['targetId'],
      input: z.strictObject({
        targetId: id.optional().describe('Only those of this table or column.'),
        status: oneOf('MonitorStatus').optional(),
        first,
        after,
      }),
    },
  ],
  [
    'measurements',
    {
      title: 'Read what a monitor measured',
      description:
        'Values of a monitor, newest first, each with the range that was expected. ' +
        'Example: {"monitorId": "0d9f1c1e-6f0b-4c39-9d8a-2f1f0f6b7a51", "first": 30}.',
      input: z.strictObject({
        monitorId: z.uuid().describe('As monitors returns it.'),
        first,
        after,
      }),
    },
  ],
  [
    'incidents',
    {
      title: 'List incidents',
      description:
        'Incidents, newest first: what was expected, what was measured, what is downstream, and what ' +
        'people did about it. Example: {"isOpen": true}.',
      names: ['targetId'],
      input: z.strictObject({
        targetId: id.optional().describe('Only those of this table or column.'),
        monitorId: z.uuid().optional().describe('Only those of this monitor.'),
        status: oneOf('IncidentStatus').optional(),
        isOpen: z
          .boolean()
          .optional()
          .describe('True: only those that go on, acknowledged or not.'),
        first,
        after,
      }),
    },
  ],
  [
    'questions',
    {
      title: 'List questions',
      description: 'Questions that people asked, with answers. Example: {"title": "revenue"}.',
      input: z.strictObject({ title: words, first, after }),
    },
  ],
  [
    'documents',
    {
      title: 'List documents',
      description: 'Documents that people wrote. Example: {"title": "onboarding"}.',
      input: z.strictObject({ title: words, first, after }),
    },
  ],
  [
    'comments',
    {
      title: 'List comments',
      description:
        'What people wrote about a resource, the newest first. Example: {"resourceId": "core.fct_orders"}.',
      names: ['resourceId'],
      input: z.strictObject({ resourceId: id, first, after }),
    },
  ],
  [
    'tags',
    {
      title: 'List tags',
      description: 'The tags of the workspace. Example: {"first": 50}.',
      input: z.strictObject({ first, after }),
    },
  ],
];
