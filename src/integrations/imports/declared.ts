// What a project declares for other features in its `meta`: taken up here, read by them.

import type { Context, ServerContext } from '../../context.ts';
import type { Integration } from '../../generated/prisma/client.ts';
import type { Extracted, ExtractedDeclaration } from '../readers/extraction.ts';
import type { FilePlace } from '../readers/place.ts';

/** Whatever may carry `meta`, besides itself or in its configuration. */
interface WithMeta {
  readonly meta?: Readonly<Record<string, unknown>> | null | undefined;
  readonly config?:
    | { readonly meta?: Readonly<Record<string, unknown>> | null | undefined }
    | null
    | undefined;
}

interface WithColumns extends WithMeta {
  readonly columns: readonly (WithMeta & { readonly name?: string | null | undefined })[];
}

/** The name under which `meta` speaks to this program. */
const ours = 'headwater';

/**
 * What a node and its columns declare under `meta.headwater`, or `config.meta.headwater`. Later
 * versions write both alike; where they differ, what stands next to the node counts.
 */
export function* declaredIn(
  { line }: FilePlace,
  path: string,
  key: string,
  node: WithColumns,
): Generator<Extracted> {
  const own = oursOf(node);
  if (own) {
    yield declaration({ line, key, path: `${path}.${own.at}`, value: own.value });
  }
  for (const column of node.columns) {
    const said = oursOf(column);
    if (!said || !column.name) continue;
    const at = `${path}.columns.${column.name}.${said.at}`;
    yield declaration({ line, key, column: column.name, path: at, value: said.value });
  }
}

const declaration = (declared: ExtractedDeclaration): Extracted => ({ is: 'declared', declared });

function oursOf({ meta, config }: WithMeta): { at: string; value: unknown } | null {
  if (meta?.[ours] != null) return { at: `meta.${ours}`, value: meta[ours] };
  const value = config?.meta?.[ours];
  return value == null ? null : { at: `config.meta.${ours}`, value };
}

/** What an import makes of the monitors that a project declares. */
export interface MonitorCounts {
  readonly created: number;
  readonly updated: number;
  /** Those that are no longer declared. */
  readonly removed: number;
  readonly unchanged: number;
  /** Those whose tables no source can be asked for. */
  readonly waiting: number;
}

/** A table or column that is declared to be something, as it is after the import. */
export interface DeclaredTarget {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly type: string | null;
  readonly integrationId: string;
  readonly integrationType: string;
  /** Whether the integration can be connected to. */
  readonly isConnected: boolean;
  /** Somebody deleted it, and imports leave it so. */
  readonly isDeleted: boolean;
}

/** A table of the project by its key, or a column of it by its name. */
export interface TargetName {
  readonly key: string;
  readonly column: string | null;
}

/** A project that is being imported, as far as a reader of its declarations has to know it. */
export interface DeclaringProject {
  readonly integration: Pick<Integration, 'id' | 'name'>;
  /** What messages call its file. */
  readonly file: string;
  readonly declared: readonly ExtractedDeclaration[];
  /** True where what is no longer declared is to go. */
  readonly isWhole: boolean;
  /** What names stand for, in their order; null for those that stand for nothing. */
  targets(ctx: Context, names: readonly TargetName[]): Promise<(DeclaredTarget | null)[]>;
  log(line: string): void;
}

/** Declarations that were found to be right. */
export interface CheckedDeclarations {
  /** What `write` would do. */
  count(ctx: Context): Promise<MonitorCounts>;
  /** Make it so, within the transaction of the import, once its resources are written. */
  write(tx: ServerContext): Promise<MonitorCounts>;
}

/** Checks what a project declares. Throws BAD_REQUEST that names all that is wrong. */
export type DeclarationReader = (
  ctx: ServerContext,
  project: DeclaringProject,
) => Promise<CheckedDeclarations>;

const nothing: MonitorCounts = { created: 0, updated: 0, removed: 0, unchanged: 0, waiting: 0 };

/** For sources that declare nothing, ever. */
export const nothingDeclared: CheckedDeclarations = {
  count: async () => nothing,
  write: async () => nothing,
};
