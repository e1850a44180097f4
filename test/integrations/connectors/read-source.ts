// Reads what a source says into what tests compare.

import { expect } from 'vitest';
import type { Connector } from '../../../src/integrations/connectors/connector.ts';
import type {
  ExtractedLineage,
  ExtractedResource,
} from '../../../src/integrations/readers/extraction.ts';
import { parsePrivateHosts } from '../../../src/network/address.ts';
import type { NetworkReach } from '../../../src/network/reach.ts';

/** Sources of tests listen on the loopback. */
export const loopback: NetworkReach = {
  privateHosts: parsePrivateHosts('127.0.0.0/8'),
  filesDir: null,
};

export interface SourceContent {
  /** Everything by its key, additions merged in. */
  readonly resources: ReadonlyMap<string, ExtractedResource>;
  readonly notes: readonly string[];
  /** Lineage that the source records. */
  readonly lineage: readonly ExtractedLineage[];
}

/** All that a source says. */
export async function readSource(connector: Connector): Promise<SourceContent> {
  const resources = new Map<string, ExtractedResource>();
  const notes: string[] = [];
  const lineage: ExtractedLineage[] = [];
  for await (const piece of connector.extract({ note: (line) => notes.push(line) })) {
    if (piece.is === 'lineage') {
      lineage.push(piece.lineage);
      continue;
    }
    if (piece.is !== 'resource') throw new Error(`A source yielded a ${piece.is}.`);
    const { resource } = piece;
    const before = resources.get(resource.key);
    if (resource.standing === 'addition') expect(before, resource.key).toBeDefined();
    resources.set(resource.key, { ...before, ...resource, standing: 'named' });
  }
  return { resources, notes, lineage };
}

/** The columns of a table, in order: name, type, whether it is of the primary key, and comment. */
export function columnsOf({ resources }: SourceContent, table: string) {
  return [...resources.values()]
    .filter(({ kind, parentKey }) => kind === 'column' && parentKey === table)
    .sort((a, b) => (a.sortOrder ?? 0) - (b.sortOrder ?? 0))
    .map(({ title, type, isPk, description }) => [title, type, isPk, description]);
}

/** What a statement comes to: its rows, or the code of its error. */
export async function outcome(connector: Connector, sql: string, timeoutMs: number) {
  return connector.query(sql, { timeoutMs }).then(
    () => 'answered',
    (error) => String(error.code),
  );
}
