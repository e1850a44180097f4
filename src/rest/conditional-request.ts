// The conditions of a request: what its client has already, and which version it expects.

import { hash } from 'node:crypto';
import { CatalogError, invalidField, VersionConflict } from '../errors.ts';

/**
 * The tag of a record as it is shown: its version, which any change of the record counts up, and what
 * is shown of it, which also depends on who asks and on other records. Strong: equal tags, equal bytes.
 */
export function tagOfRecord(version: number, body: string): string {
  return `"${version}-${hash('sha1', body, 'base64url')}"`;
}

/** The tag of any other answer, which no one can expect a change to be made to. */
export function tagOfAnswer(body: string): string {
  return `W/"${hash('sha1', body, 'base64url')}"`;
}

/** Whether a client that sends `If-None-Match` has an answer with this tag already. */
export function isKnown(request: Request, tag: string): boolean {
  const known = tagsIn(request.headers.get('if-none-match'));
  return known.some((one) => one === '*' || opaque(one) === opaque(tag));
}

/** Versions that one request may name. */
const maxVersions = 20;
/** No record is ever at this version. */
const noVersion = 0;

/**
 * The versions of which a client that sends `If-Match` says that the record must have one; nothing
 * where any will do. Of a tag the version alone counts: what else was shown of the record is not what
 * the request changes. A weak tag, or one that is none of ours, is no version. Throws BAD_REQUEST where
 * the operation changes no record that has one, and for a header without a tag: who lost theirs does not
 * mean to write over what others saved.
 */
export function expectedVersions(request: Request, isConditional: boolean): number[] | undefined {
  const header = request.headers.get('if-match');
  if (header === null) return undefined;
  const tags = tagsIn(header);
  if (tags.length === 0) {
    throw invalidField(
      'If-Match',
      'Use the ETag of the record, or * for any version, or leave it out.',
    );
  }
  if (tags.includes('*')) return undefined;
  if (!isConditional) {
    throw invalidField(
      'If-Match',
      'Leave it out: this request does not change a single record with a version.',
    );
  }
  const versions = new Set(tags.flatMap(versionIn));
  if (versions.size > maxVersions)
    throw invalidField('If-Match', `Use at most ${maxVersions} tags.`);
  return versions.size > 0 ? [...versions] : [noVersion];
}

/** Run with the one of the versions that the record has; throws of the last one that it has none. */
export async function withVersionOf<T>(
  versions: readonly number[],
  run: (version: number) => Promise<T>,
): Promise<T> {
  let refusal: VersionConflict | undefined;
  for (const version of versions) {
    try {
      return await run(version);
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      refusal = error;
    }
  }
  throw refusal ?? new CatalogError('PRECONDITION_FAILED', 'The record has no such version.');
}

function tagsIn(header: string | null): string[] {
  if (header === null) return [];
  const tags = header.split(',').map((tag) => tag.trim());
  return tags.filter((tag) => tag !== '');
}

const opaque = (tag: string): string => tag.replace(/^W\//, '');

/** The greatest version that a record can have: a 32-bit integer. */
const maxVersion = 2_147_483_647;

function versionIn(tag: string): number[] {
  const [, digits] = /^"(\d{1,10})(?:-[\w-]*)?"$/.exec(tag) ?? [];
  const version = Number(digits);
  return digits && version <= maxVersion ? [version] : [];
}

/** Methods that change something: a condition on them is met or refused, never forgotten. */
export function takesCondition({ method }: { readonly method: string }): boolean {
  return method !== 'GET' && method !== 'HEAD';
}
