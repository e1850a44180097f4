// What an import is asked for, and what it answers.

import type { Context } from '../../context.ts';
import type { Integration, Job } from '../../generated/prisma/client.ts';
import type { LineageOrigin } from '../../lineage/connect.ts';
import type { AddressInput } from '../addresses/said-address.ts';
import type { TestCounts } from '../data-tests/data-test.ts';
import type { Extraction } from '../readers/extraction.ts';
import type { ResourceCounts } from './apply.ts';
import type { DeclarationReader, MonitorCounts } from './declared.ts';
import type { EdgeCounts } from './edges/merge-edges.ts';
import type { StaleRule } from './gone.ts';
import type { ListedChange } from './listed.ts';
import type { TakenKeys } from './planning/taken.ts';
import type { Ignored } from './staging/problems.ts';

/** What an import did, or, on a dry run, would do. */
export interface ImportCounts extends ResourceCounts {
  /** Keys that named something of another kind in the catalog, and were taken from it. */
  readonly taken: TakenKeys;
  readonly lineage: EdgeCounts & {
    /** Lines that point at nothing the catalog knows. */
    readonly unknown: number;
  };
  readonly tests: TestCounts;
  readonly monitors: MonitorCounts;
  /** What the files say that the catalog has no place for, counted by sort. */
  readonly ignored: readonly Ignored[];
  /** What is odd in the files and was taken all the same, a sentence each; at most 100. */
  readonly problems: readonly string[];
}

/** The same, with what it changes one by one. */
export interface ImportReport extends ImportCounts {
  /** The first of the resources that change, at most 200. */
  readonly changes: readonly ListedChange[];
}

/** What an import reports while it runs. */
export interface ImportWatch {
  log(line: string): void;
  progress(step: string, done: number, total?: number): void;
  /**
   * Called in the transaction of the merge, before it commits: the end of the job it is part of. It is
   * handed what the job keeps as its result, and the job that goes on with reading lineage from SQL, where there is one.
   */
  readonly finish?: (tx: Context, result: object, trace: Job | null) => Promise<void>;
}

export interface ImportOptions {
  readonly integration: Integration;
  readonly extraction: Extraction;
  /** What messages call the file of the resources. */
  readonly file: string;
  /** What messages call the import, such as `CSV`. */
  readonly title: string;
  readonly origin: LineageOrigin;
  /** Which parts the source covers: what it doesn't cover is left alone. */
  readonly covers: {
    readonly resources: boolean;
    readonly lineage: boolean;
    readonly tests: boolean;
  };
  /** Who reads what the source declares for other features; null where it declares nothing. */
  readonly readDeclarations: DeclarationReader | null;
  readonly stale: StaleRule;
  /** True: also where most of the integration becomes stale. */
  readonly force?: boolean;
  /** True for the artifacts of a project, which makes and reads tables that lie elsewhere. */
  readonly isProject: boolean;
  /** The address of the source, as its credentials say; absent where none was connected to. */
  readonly source?: string | null;
  /** What people say of where its databases lie, in place of what they said before; absent leaves that alone. */
  readonly said?: readonly AddressInput[];
  readonly dryRun: boolean;
  /** Told the first of what changes, one by one, before it is written. */
  readonly onChanges?: ((changes: readonly ListedChange[]) => void) | undefined;
  /** True where reading takes as long as somebody else's server likes. */
  readonly isLive?: boolean;
  readonly watch: ImportWatch;
}
