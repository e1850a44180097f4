// Verifies lines that were exported: each entry against its link, and each link against the one before it.

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { rawMembers } from '../text/raw-members.ts';
import { contentOf, linkForm, linkHash, momentColumns, rootOf } from './chain.ts';

/** A line that does not hold. */
export interface BrokenLine {
  /** Its number in the file, from 1. */
  readonly line: number;
  readonly workspaceId: string;
  readonly position: number;
  /** What is wrong with it, after `is` or the like. */
  readonly how: string;
}

/** What a file holds of the chain of one workspace. */
export interface ExportedChain {
  readonly workspaceId: string;
  /** Position of the first entry, and the hash that it follows on. */
  readonly from: number;
  readonly previous: string;
  /** Position and hash of the last entry. */
  readonly to: number;
  readonly head: string;
}

/** What a file was found to be. */
export interface ExportVerification {
  readonly chains: readonly ExportedChain[];
  readonly brokenCount: number;
  readonly first: BrokenLine | null;
  /** Hashes that were asked for, and that no line has. */
  readonly missing: readonly string[];
}

const shape = z.object({
  workspace_id: z.string(),
  position: z.int().min(1),
  seal: z.object({
    form: z.int().min(1),
    sealed_at: z.string(),
    previous: z.string(),
    hash: z.string(),
  }),
});

type Link = z.output<typeof shape>;

/** Links of a workspace that are known by their positions: a line that is sent twice has to be the same. */
const mostKnown = 10_000;

interface Chain {
  readonly from: number;
  readonly previous: string;
  to: number;
  head: string;
  readonly known: Map<number, string>;
}

/**
 * Verify lines in their order, in memory that does not grow with them. Lines may come twice, as a stream sends them,
 * and those of several workspaces may be mixed. Throws an Error for a line that is none of an export.
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  wanted: readonly string[] = [],
): Promise<ExportVerification> {
  const chains = new Map<string, Chain>();
  const missing = new Set(wanted);
  let brokenCount = 0;
  let first: BrokenLine | null = null;
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line === '') continue;
    const { link, content } = readLine(line, number);
    const { workspace_id: workspaceId, position, seal } = link;
    // A file that goes on from another one is known by the hash that it follows on.
    missing.delete(seal.hash);
    missing.delete(seal.previous);
    const chain = chains.get(workspaceId);
    const how = wrongOf(link, content) ?? (chain ? misplaced(chain, link) : strangeBeginning(link));
    if (how !== null) {
      brokenCount += 1;
      first ??= { line: number, workspaceId, position, how };
    }
    if (!chain) chains.set(workspaceId, beginOf(link));
    else follow(chain, link);
  }
  const found = [...chains].map(([workspaceId, { known: _known, ...chain }]) => ({
    workspaceId,
    ...chain,
  }));
  return { chains: found, brokenCount, first, missing: [...missing] };
}

/** A line's link, and the hash of its entry; null where that was removed. */
function readLine(line: string, number: number): { link: Link; content: string | null } {
  let members: ReadonlyMap<string, string>;
  let link: Link;
  try {
    members = rawMembers(line);
    link = shape.parse(JSON.parse(line));
  } catch {
    throw new Error(`Line ${number} is not part of an export of the audit log.`);
  }
  const { form } = link.seal;
  if (form > linkForm) {
    throw new Error(
      `Line ${number} has a link of form ${form}, which a newer version made: verify it with that.`,
    );
  }
  const entry = members.get('entry') ?? 'null';
  return { link, content: entry === 'null' ? null : contentHashOf(entry, form) };
}

/** The hash of an entry as PostgreSQL made it: of an array of its values, as they are written. */
function contentHashOf(entry: string, form: number): string {
  const values = rawMembers(entry);
  const { version, columns } = contentOf(form);
  const parts = columns.map((column) => {
    const value = values.get(column) ?? 'null';
    return momentColumns.has(column) ? value.replace(/Z"$/, '"') : value;
  });
  return createHash('sha256')
    .update(`[${[version, ...parts].join(', ')}]`)
    .digest('hex');
}

/** What is wrong with a line on its own; null for nothing. */
function wrongOf({ position, seal }: Link, content: string | null): string | null {
  if (content === null) return 'was removed before the export';
  const { form, previous, hash } = seal;
  const sealedAt = new Date(seal.sealed_at);
  const isMoment = !Number.isNaN(sealedAt.getTime());
  const made = isMoment ? linkHash({ form, position, previous, content, sealedAt }) : '';
  return made === hash ? null : 'was changed after it was sealed, or its link was';
}

/** What is wrong with the first line of a workspace: the first entry follows on no other. */
function strangeBeginning({ workspace_id, position, seal }: Link): string | null {
  const isRoot = seal.previous === rootOf(workspace_id);
  return isRoot === (position === 1) ? null : 'does not begin where its chain does';
}

/** What is wrong with the place of a line after others. */
function misplaced(chain: Chain, { position, seal }: Link): string | null {
  if (position <= chain.to) {
    if (chain.known.get(position) === seal.hash) return null;
    return 'comes after later ones, and is none of the last 10,000 before it';
  }
  if (position > chain.to + 1)
    return `follows on entries that are not in the file, after ${chain.to}`;
  return seal.previous === chain.head ? null : 'does not follow on the line before it';
}

function beginOf({ position, seal }: Link): Chain {
  const { previous, hash } = seal;
  const known = new Map([[position, hash]]);
  return { from: position, previous, to: position, head: hash, known };
}

function follow(chain: Chain, { position, seal }: Link): void {
  if (position <= chain.to) return;
  chain.to = position;
  chain.head = seal.hash;
  chain.known.set(position, seal.hash);
  chain.known.delete(position - mostKnown);
}
