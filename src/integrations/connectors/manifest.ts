// What is particular to a type of source, without the code that connects to it.

import type { DialectName } from '../../lineage/sql/dialect.ts';
import type { CredentialFields } from './fields.ts';
import type { AddressOf } from './source-address.ts';

/** A type of source: what people call it, how its SQL is written, what it is connected to with. */
export interface ConnectorManifest {
  readonly label: string;
  readonly dialect: DialectName;
  readonly credentials: CredentialFields;
  /** Where such a source lies, by its credentials; null where they do not say it. Absent: no connection says it. */
  readonly address?: AddressOf;
}
