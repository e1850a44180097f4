// Keeps credentials out of what others read: messages, logs and reports.

/** What a source or a chat is connected to with: its values are secrets, whatever their names. */
type Credentials = Readonly<Record<string, unknown>>;

import { encodingsOf } from './encodings.ts';

/** Takes the secrets out of a text. */
export type Scrub = (text: string) => string;

/** One that learns of secrets that are made while it is used, such as the token of a login. */
export interface LearningScrub extends Scrub {
  /** Take this one out as well, from now on. Of many the last ones are known. */
  also(secret: string): void;
}

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
  // What stands in the file of a service account next to its key.
  'type',
  'project_id',
  'client_email',
  'client_id',
  'auth_uri',
  'token_uri',
  'auth_provider_x509_cert_url',
  'client_x509_cert_url',
  'universe_domain',
]);

/** A shorter secret may be part of any word: a text that holds it is left out as a whole. */
const shortest = 4;
/** Longer secrets are looked for piece by piece, since messages show a part of them. */
const longest = 64;
const piece = 32;
/** Of a text that was cut within a secret at least so much of it is known by its end. */
const shortestCut = 8;
/** A token lives an hour and is renewed before its end: one is in use, others may still be in an answer. */
const mostLearned = 8;
const withheld =
  'The source answered something that is left out here, because it holds credentials.';

/**
 * What takes the credentials out of a text, however a source or driver wrote them: as they are, in
 * JSON, in an address, in a header, in digits, or cut off at the end of the text. The fields of `shown` are no secrets,
 * unless a password stands in them.
 */
export function scrubberOf(
  credentials: Credentials,
  shown: ReadonlySet<string> = harmless,
): LearningScrub {
  // Most connections fail never: what is looked for is made when there is something to look at.
  let made: Scrub | undefined;
  let learned: readonly string[] = [];
  const scrub = (text: string) => {
    made ??= makeScrub({ credentials, learned }, shown);
    return made(text);
  };
  const also = (secret: string) => {
    learned = [...learned.filter((one) => one !== secret), secret].slice(-mostLearned);
    made = undefined;
  };
  return Object.assign(scrub, { also });
}

function makeScrub(credentials: Credentials, shown: ReadonlySet<string>): Scrub {
  const secrets = [...new Set([...secretsIn(credentials, shown)].flatMap(piecesOf))].sort(
    (a, b) => b.length - a.length,
  );
  const short = secrets.filter((secret) => secret.length < shortest);
  const long = secrets.filter((secret) => secret.length >= shortest);
  const patterns = long.flatMap(encodingsOf);
  return (text) => {
    if (short.some((secret) => text.includes(secret))) return withheld;
    let clean = text;
    for (const pattern of patterns) clean = clean.replaceAll(pattern, '***');
    for (const secret of long) clean = withoutCut(clean, secret);
    return clean;
  };
}

function* secretsIn(value: unknown, shown: ReadonlySet<string>, key = ''): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    yield* innerSecrets(text);
    if (text !== '' && !shown.has(key.toLowerCase())) yield text;
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value))
      yield* secretsIn(inner, shown, Array.isArray(value) ? key : name);
  }
}

/** The passwords in an address, a connection string or JSON, which may stand in any field. */
function* innerSecrets(text: string): Generator<string> {
  const inner = [
    ...structured(text),
    ...stated
      .flatMap((form) => [...text.matchAll(form)])
      .flatMap((match) => match.slice(1).filter((part) => part !== undefined)),
  ];
  for (const secret of inner.flatMap((one) => [one, decodedOf(one)])) {
    if (secret.length >= shortest) yield secret;
  }
}

/** How passwords stand in connection strings, where blanks end them or belong to them, and addresses. */
const name = String.raw`(?:password|passwd|pwd|token|secret|key)\s*=\s*`;
const stated = [
  new RegExp(String.raw`${name}(?:"([^"]*)"|'([^']*)'|([^;\s&]+))`, 'gi'),
  new RegExp(`${name}([^;&"']+)`, 'gi'),
  /(?::\/\/[^/:@\s]*:|\/"?)([^@\s"]+)"?@/g,
  /\/"([^"]+)"@/g,
];

function structured(text: string): string[] {
  if (!/^\s*[{[]/.test(text)) return [];
  try {
    return [...secretsIn(JSON.parse(text), harmless)];
  } catch {
    return [];
  }
}

function decodedOf(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A secret as it is, or the lines of a key and the pieces of these. */
function piecesOf(secret: string): string[] {
  return secret.split(/\r?\n|\\n/).flatMap((line, _, lines) => {
    // A short line of many, such as the end of a key, could be any word.
    if (lines.length > 1 && line.length < piece / 2) return [];
    if (line.length <= longest) return [line];
    const pieces = [line.slice(-piece)];
    for (let at = 0; at + piece <= line.length; at += piece)
      pieces.push(line.slice(at, at + piece));
    return pieces;
  });
}

/** A text without the beginning of a secret at its end. */
function withoutCut(text: string, secret: string): string {
  for (let length = secret.length - 1; length >= shortestCut; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}***`;
  }
  return text;
}
