// The master keys that credentials are sealed under: where they come from, and which is used.

import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unavailable } from '../errors.ts';

/** A key and the name that sealed records know it by. */
export interface MasterKey {
  readonly id: string;
  readonly key: Buffer;
}

/** The first seals; all open, so that a new key can take over from an old one. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]];

/** Where the keys come from. */
export interface KeySource {
  /** Secrets of the operator, the current one first, with commas between; absent for a key file. */
  readonly secretsKey: string | undefined;
  /** Folder of the key file. */
  readonly dataDir: string;
}

/**
 * The keys of a source, read when they are first asked for. A key file is made when there is none. What is
 * answered throws UNAVAILABLE where the file can be neither read nor made.
 */
export function keyRing(source: KeySource): () => MasterKeys {
  let keys: MasterKeys | null = null;
  return () => {
    keys ??= readKeys(source);
    return keys;
  };
}

/** The names of the keys that there are; none where a key file is still to be made. */
export function keyIds(source: KeySource): readonly string[] {
  const isMade = Boolean(source.secretsKey) || existsSync(join(source.dataDir, fileName));
  return isMade ? readKeys(source).map(({ id }) => id) : [];
}

const keyBytes = 32;
const fileName = 'secrets.key';

function readKeys({ secretsKey, dataDir }: KeySource): MasterKeys {
  const [first, ...others] = (secretsKey ?? '')
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');
  if (first !== undefined) return [keyFrom(first), ...others.map(keyFrom)];
  return [keyFrom(keyFile(dataDir))];
}

function keyFrom(secret: string): MasterKey {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'headwater master key', keyBytes));
  const id = createHash('sha256').update('headwater key id').update(key).digest('hex').slice(0, 12);
  return { id, key };
}

/** The secret of the key file, which only the user of this process may read. */
function keyFile(dataDir: string): string {
  const path = join(dataDir, fileName);
  try {
    mkdirSync(dataDir, { recursive: true });
    const made = `${randomBytes(keyBytes).toString('base64')}\n`;
    writeFileSync(path, made, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    // Another process may have made it, or this one long ago; that it can be read is seen below.
    if (!isExisting(error)) throw noKey(error);
  }
  try {
    const secret = readFileSync(path, 'utf8').trim();
    if (secret.length >= keyBytes) return secret;
  } catch (error) {
    throw noKey(error);
  }
  throw noKey(new Error('it is empty'));
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

function noKey(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'it is empty';
  return unavailable(
    `The key file of DATA_DIR can't be used (${code}), so no credentials can be kept: the operator of this server sets SECRETS_KEY, or repairs the file.`,
  );
}
