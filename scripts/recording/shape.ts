// What a request asks for, without what it asks about: equal for a request that names other things.

import { createHash } from 'node:crypto';
import type { Vocabulary } from './vocabulary.ts';

/** A request, as much as its shape is made of. */
interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/** The shape of a request: its method, its path with known words alone, and a hash of the SQL in its body without what is quoted. */
export function shapeOf({ method, path, body = '' }: SentRequest, { words }: Vocabulary): string {
  const known = (text: string) =>
    text.replaceAll(/[\p{L}\p{N}_.%-]+/gu, (word) => (words.has(word.toLowerCase()) ? word : '*'));
  const [place = '', query = ''] = path.split('?');
  const asked = [...new URLSearchParams(query)].map(
    ([name, value]) => `${known(name)}=${known(value)}`,
  );
  // A server may lie below any path.
  const at = known(place).replace(/^(?:\/\*)*/, '');
  const sql = sqlIn(body);
  const hashed =
    sql === ''
      ? []
      : [
          createHash('sha256')
            .update(known(unquoted(sql)))
            .digest('hex')
            .slice(0, 16),
        ];
  return [method, [at, ...asked.sort()].join('&'), ...hashed].join(' ');
}

function sqlIn(body: string): string {
  const [, sql = '""'] = /"(?:statement|query)":("(?:[^"\\]|\\.)*")/.exec(body) ?? [];
  return String(JSON.parse(sql));
}

/** SQL with all that is quoted left out, a list of it as one; and without numbers. */
function unquoted(sql: string): string {
  return sql
    .replaceAll(/'(?:[^'\\]|''|\\.)*'|"(?:[^"]|"")*"|`[^`]*`/g, "''")
    .replaceAll(/''(?:\s*,\s*'')+/g, "''")
    .replaceAll(/\s+/g, ' ');
}
