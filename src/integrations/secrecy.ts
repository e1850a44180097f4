// In charge of keeping credentials out of what others read: messages, logs and reports.

import type { Credentials } from './credentials.ts';

/** Takes the secrets out of a text. */
export type Scrub = (text: string) => string;

/** Fields of credentials that say where a source is and who one is there, which people have to read. */
const harmless = new Set([
  'host',
  'port',
  'database',
  'dbname',
  'user',
  'username',
  'schema',
  'catalog',
  'warehouse',
  'account',
  'project',
  'region',
  'role',
  'path',
  'ssl',
  'sslmode',
  'ca',
  'http_path',
]);

/** A shorter secret may be part of any word: a text that holds it is left out as a whole. */
const shortest = 4;
const withheld =
  'The source answered something that is left out here, because it holds credentials.';

/**
 * What takes the credentials out of a text, however a driver wrote them: as they are, in JSON, in an
 * address, or in a header.
 */
export function scrubberOf(credentials: Credentials): Scrub {
  const secrets = [...new Set([...secretsIn(credentials)].flatMap(spellings))].sort(
    (a, b) => b.length - a.length,
  );
  return (text) => {
    let clean = text;
    for (const secret of secrets) {
      if (!clean.includes(secret)) continue;
      if (secret.length < shortest) return withheld;
      clean = clean.replaceAll(secret, '***');
    }
    return clean;
  };
}

function* secretsIn(value: unknown, key = ''): Generator<string> {
  if (harmless.has(key.toLowerCase())) return;
  if (typeof value === 'string' || typeof value === 'number') {
    if (String(value) !== '') yield String(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) yield* secretsIn(inner, name);
  }
}

function spellings(secret: string): string[] {
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    Buffer.from(secret).toString('base64'),
    // Messages of drivers and databases often show one line of a key.
    ...secret.split('\n').filter((line) => line.length >= 16),
  ];
}
