// What is particular to a type of source, without the code that connects to it.

import type { DialectName } from '../../lineage/sql/dialect.ts';
import type { CredentialFields } from './read-fields.ts';
import type { AddressOf } from './source-address.ts';

/** What is read of a source besides its schemas, tables and columns, by what people call it. */
export const capabilities = {
  comments: 'comments',
  sizes: 'row counts and sizes',
  keys: 'keys',
  tags: 'tags',
  views: 'SQL of views',
  lineage: 'lineage of its own',
  history: 'queries that ran',
  usage: 'usage',
  measure: 'monitors',
  freshness: 'last change without a scan',
  estimate: 'bytes of a query before it runs',
  dashboards: 'dashboards and charts with their lineage',
} as const;

/** Something that is read of a source. */
export type Capability = keyof typeof capabilities;

/** A type of source: what people call it, how its SQL is written, what it is connected to with. */
export interface ConnectorManifest {
  readonly label: string;
  /** Null for what is not asked by SQL. */
  readonly dialect: DialectName | null;
  readonly credentials: CredentialFields;
  /** What is read of it, or done with it. */
  readonly capabilities: readonly Capability[];
  /** Its page below `docs/sources`; null where there is none, as nothing connects to it. */
  readonly page: string | null;
  /** What it was built against where that was not the source itself: it is called beta then. */
  readonly isBeta?: true;
  /** Other names that clients use for the type. */
  readonly aliases?: readonly string[];
  /** Where such a source lies, by its credentials; null where they do not say it. Absent: no connection says it. */
  readonly address?: AddressOf;
  /** Functions that its monitors may not call, by whole names in capitals: they do more than compute. */
  readonly forbiddenCalls?: RegExp;
}
