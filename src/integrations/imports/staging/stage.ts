// The scratch tables of an import: what was read, before anything touches the catalog.

import type { Settling } from '../../claims/settle.ts';
import type { IdSequence } from './id-sequence.ts';

/** The scratch tables of one import, by their names in SQL. */
export interface Stage {
  /** What was read of resources. */
  readonly resources: string;
  /** Keys that stand for something else: another key, or a resource that is in the catalog. */
  readonly matches: string;
  /** The staged databases, schemas and tables with their names. */
  readonly paths: string;
  /** The same with what they are: address and identity. */
  readonly placed: string;
  /** Which resource each of them is. */
  readonly things: string;
  /** What comes to lie at another address than before. */
  readonly moves: string;
  /** Resources that turn out to be one: which is kept, and which is merged into it. */
  readonly pairs: string;
  /** What the source says of resources that others describe as well, where that is new. */
  readonly said: string;
  /** Resources whose claims change. */
  readonly touched: string;
  /** Their claims, and what follows of them. */
  readonly settling: Settling;
  /** Which resource each key names, and what is to become of it. */
  readonly plan: string;
  /** Resources of the catalog that are to be changed, numbered (`k`), and what becomes of each. */
  readonly changes: string;
  /** Glossary terms of the integration, and whether the source says what is related to each. */
  readonly terms: string;
  /** Terms that the source says are related, each pair once. */
  readonly termLinks: string;
  /** Resources whose changes people are notified of. */
  readonly watched: string;
  /** Which resource each table of the workspace is, by name. */
  readonly names: string;
  /** Lineage by the keys of its ends, as it was read. */
  readonly edgesByKey: string;
  /** Which resource each key of the integration names. */
  readonly keys: string;
  /** Lineage edges, by the ids of their ends. */
  readonly edges: string;
  /** In which table each end of an edge between columns lies. */
  readonly tables: string;
  /** The edges, each once and in order. */
  readonly edgePlan: string;
  /** Ends of new edges that were in the catalog before. */
  readonly oldEnds: string;
  /** Edges of the catalog that are to be changed, and what becomes of each. */
  readonly edgeChanges: string;
  readonly tests: string;
  readonly runs: string;
  readonly ids: IdSequence;
}
