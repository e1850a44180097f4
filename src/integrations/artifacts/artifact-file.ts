// Asks for one file of a place over HTTP: again while the place is busy, and not again where it is as it was.

import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { refused, SourceRefusal } from '../connectors/failure.ts';
import { download } from '../http-sources/download.ts';
import {
  type HttpAnswer,
  type HttpSource,
  notModified,
  send,
} from '../http-sources/http-source.ts';
import { retrying } from '../http-sources/retry.ts';
import type { FileSource } from '../readers/source.ts';
import { type ArtifactName, fileOf, type PullRequest } from './artifact-place.ts';

/** Where a file is, and the headers that it is asked for with. */
export interface FileAddress {
  readonly source: HttpSource;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A file that was downloaded, as it was then. */
export interface PulledFile extends FileSource {
  /** What the place calls this state of it; null where it says nothing. */
  readonly version: string | null;
}

/** A large file comes in so many milliseconds, or not at all. */
const downloadMs = 15 * 60_000;
const answerMs = 30_000;

/**
 * Download a file. Null where it is not there, which statuses say, `unchanged` where its version is the known one. Throws where the login may
 * not read it, and what `retrying` throws.
 */
export async function pullFile(
  address: () => Promise<FileAddress>,
  name: ArtifactName,
  { folder, maxBytes, signal: outer }: Pick<PullRequest, 'folder' | 'maxBytes' | 'signal'>,
  known: string | undefined,
  { as = fileOf(name), absent = [404] }: { as?: string; absent?: readonly number[] } = {},
): Promise<PulledFile | 'unchanged' | null> {
  const path = join(folder, as);
  const signal = AbortSignal.any([outer, AbortSignal.timeout(downloadMs)]);
  const attempt = async () => {
    const { source, path: at, headers } = await address();
    const condition = known === undefined ? {} : { 'if-none-match': known };
    // Packed files are unpacked when they are read: nothing else is to pack them.
    const all = { 'accept-encoding': 'identity', ...headers, ...condition };
    const request = { method: 'GET' as const, path: at, headers: all, signal };
    return download(source, request, { path, name: as, maxBytes });
  };
  const answer = await retrying(attempt, rulesOf(signal, downloadMs));
  if (answer.status === notModified) return 'unchanged';
  if (absent.includes(answer.status)) return null;
  if (answer.status !== 200) throw refusalOf(answer);
  const version = versionOf(answer);
  if (version !== null && version === known) return 'unchanged';
  return { file: as, bytes: bytesOf(path), version };
}

/** The bytes of a file, which is opened when it is read. */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

/** Whether a file is there, of which nothing is read. Throws where that cannot be learned. */
export async function findFileAt(
  address: () => Promise<FileAddress>,
  outer: AbortSignal,
): Promise<boolean> {
  const cutting = new AbortController();
  const signal = AbortSignal.any([outer, cutting.signal]);
  try {
    const attempt = async () => {
      const { source, path, headers } = await address();
      const request = { method: 'GET' as const, path, headers, signal };
      return send(source, request, async (response) => {
        response.on('error', () => {});
        return '';
      });
    };
    const { status, headers } = await retrying(attempt, rulesOf(signal, answerMs));
    if (status === 404) return false;
    if (status !== 200) throw refusalOf({ status, headers, body: '' });
    return true;
  } finally {
    cutting.abort();
  }
}

/** What is asked again: whatever answers that it is busy. */
export function rulesOf(signal: AbortSignal, timeoutMs: number) {
  return { isRepeatable: true, deadline: Date.now() + timeoutMs, signal };
}

/** The error for an answer that is no success. */
export function refusalOf({ status, body }: HttpAnswer): Error {
  if (status === 401 || status === 403) {
    return refused(
      `the login has no permission to read there (${status}): check the login and its permissions.`,
    );
  }
  return new SourceRefusal(body, `HTTP ${status}`);
}

/** The ETag, which stands for the content; when it changed, where there is none. */
function versionOf({ headers }: HttpAnswer): string | null {
  return headers.etag ?? headers['last-modified'] ?? null;
}
