// The one shape that every source is read into, before anything touches the catalog.

import type { Kind } from '../../resources/kind.ts';

/** What a source says, one piece at a time, in any order. */
export type Extracted =
  | { is: 'resource'; resource: ExtractedResource }
  | { is: 'lineage'; lineage: ExtractedLineage }
  | { is: 'test'; test: ExtractedTest }
  | { is: 'run'; run: ExtractedRun }
  | { is: 'declared'; declared: ExtractedDeclaration }
  /** The warehouse that a project is written for, such as `snowflake`. */
  | { is: 'adapter'; adapter: string }
  /** Something that the catalog has no place for, by its sort, such as `macros`. */
  | { is: 'ignored'; sort: string }
  /** Something odd that is taken all the same, in a sentence. */
  | { is: 'problem'; problem: string };

/** A stream of what a source says. Readers keep only what they are at: memory does not grow. */
export type Extraction = AsyncIterable<Extracted>;

/**
 * A resource as its source describes it. A field that is absent says nothing, so that the catalog keeps
 * what it has; an empty text or list says that there is none. Of several descriptions with one key, the
 * first that carries a field decides it.
 */
export type ExtractedResource = {
  /** Line of the file it was read from. */
  line: number;
  kind: Kind;
  /** Names the resource within its integration: the catalog's `databuilder_id`. */
  key: string;
  parentKey?: string | undefined;
  /**
   * `named`: the source names it. `implied`: it is only the ancestor of something named, such as the
   * schema of a table; a named resource of the same titles takes its place. `addition`: it adds to
   * something named, and falls away where there is nothing to add to.
   */
  standing: 'named' | 'implied' | 'addition';
  title?: string | undefined;
  description?: string | undefined;
  definition?: string | undefined;
  nativeType?: string | undefined;
  externalUpdatedAt?: Date | undefined;
  url?: string | undefined;
  cluster?: string | undefined;
  database?: string | undefined;
  schema?: string | undefined;
  creationQuery?: string | undefined;
  rowCount?: number | undefined;
  byteSize?: number | undefined;
  /** Data type of a column, or the type of a query. */
  type?: string | undefined;
  sortOrder?: number | undefined;
  isPk?: boolean | undefined;
  hidden?: boolean | undefined;
  group?: string | undefined;
  product?: string | undefined;
  externalUsage?: number | undefined;
  /** Of a glossary term. */
  synonyms?: readonly string[] | undefined;
  termStatus?: string | undefined;
  /** Keys of the terms that are related to it. */
  relatedKeys?: readonly string[] | undefined;
  deprecation?: ExtractedDeprecation | undefined;
  /** Names of tags. */
  tags?: readonly string[] | undefined;
  /** Email addresses of owners. */
  owners?: readonly string[] | undefined;
  /** What else the source says, kept as it says it. */
  metadata?: Record<string, unknown> | undefined;
};

/** That something is no longer to be used, or, where `is` is false, that it is. */
export type ExtractedDeprecation = {
  is: boolean;
  since?: Date | undefined;
  note?: string | undefined;
  /** What is to be used in its place. */
  successor?: Reference | undefined;
};

/** How a line points at something else, such as an end of lineage. */
export type Reference =
  | { by: 'key'; key: string }
  | {
      by: 'name';
      cluster?: string | undefined;
      database?: string | undefined;
      schema?: string | undefined;
      table: string;
      column?: string | undefined;
    };

/** Data flows from one resource to another. */
export type ExtractedLineage = { line: number; from: Reference; to: Reference };

/** A test of data that a project declares. */
export type ExtractedTest = {
  key: string;
  name: string;
  description?: string | undefined;
  /** Kind of the check, such as `not_null`; absent for a test of its own SQL. */
  testKind?: string | undefined;
  tableKey?: string | undefined;
  columnKey?: string | undefined;
  severity: 'error' | 'warn';
  /** What the check was told, such as the values that it accepts. */
  arguments?: Record<string, unknown> | undefined;
};

/** What one run said about one node: a model, seed, snapshot or test. */
export type ExtractedRun = {
  invocationId: string;
  nodeKey: string;
  status: RunStatus;
  executionSeconds?: number | undefined;
  failures?: number | undefined;
  message?: string | undefined;
  completedAt: Date;
  /** False when the run only compiled the node, which says nothing about its data. */
  executed: boolean;
};

/** What a project declares of one of its tables or columns for another feature, as it was written. */
export type ExtractedDeclaration = {
  line: number;
  /** Where it stands in the file, such as `nodes.model.shop.orders.meta.headwater`. */
  path: string;
  /** Names the table within its integration. */
  key: string;
  column?: string | undefined;
  value: unknown;
};

/** How the run of a node ended. */
export type RunStatus = 'success' | 'pass' | 'warn' | 'fail' | 'error' | 'skipped';

/**
 * The key of a database object that its source names by title only: `table:shop.public.orders`, with
 * the cluster in front when there is one. Dots, slashes and percent signs inside a title are escaped,
 * so that two different paths never share a key.
 */
export function pathKey(kind: Kind, cluster: string | undefined, path: readonly string[]) {
  const place = cluster ? `${escapeTitle(cluster)}/` : '';
  return `${kind}:${place}${path.map(escapeTitle).join('.')}`;
}

/** The titles of which such a key was made, the cluster apart, outermost first. */
export function titlesInKey(key: string): string[] {
  const place = key.slice(key.indexOf(':') + 1);
  const unescaped = (title: string) =>
    title.replaceAll(/%(25|2E|2F)/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  return place
    .slice(place.indexOf('/') + 1)
    .split('.')
    .map(unescaped);
}

/** The key of a field of a nested column, whose key has no slash behind its last dot as a rule. */
export function fieldKey(columnKey: string, field: string): string {
  return `${columnKey}/${escapeTitle(field)}`;
}

/** A database that is known by its title only. */
export function databaseOf(
  line: number,
  cluster: string | undefined,
  title: string,
): ExtractedResource {
  const key = pathKey('database', cluster, [title]);
  return { line, kind: 'database', key, standing: 'implied', title, cluster };
}

/**
 * The database and schema that hold a table, outermost first, as descriptions of their own. Empty when
 * the table names no schema: a table lies in a schema, never in a database alone.
 */
export function ancestorsOf(table: TablePath): ExtractedResource[] {
  const { line, cluster, database, schema } = table;
  if (!schema) return [];
  const databases = database ? [databaseOf(line, cluster, database)] : [];
  return [
    ...databases,
    {
      line,
      kind: 'schema',
      key: pathKey('schema', cluster, database ? [database, schema] : [schema]),
      standing: 'implied',
      title: schema,
      cluster,
      database,
      parentKey: databases[0]?.key,
    },
  ];
}

interface TablePath {
  line: number;
  cluster?: string | undefined | undefined;
  database?: string | undefined | undefined;
  schema?: string | undefined | undefined;
}

const maxRemembered = 10_000;

/**
 * Which keys were sent lately, so that most repetitions are spared without memory that grows. Sending
 * a key again is harmless: descriptions with one key become one.
 */
export class Recently {
  readonly #keys = new Set<string>();

  isNew(key: string): boolean {
    if (this.#keys.has(key)) return false;
    if (this.#keys.size >= maxRemembered) this.#keys.clear();
    this.#keys.add(key);
    return true;
  }
}

const unsafeInKey = /[%./]/g;

function escapeTitle(title: string): string {
  return title.replace(
    unsafeInKey,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
