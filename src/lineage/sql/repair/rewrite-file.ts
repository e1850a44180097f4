// Writes statements that move rows between tables and files in a form that the parser takes.

import { bodyOf } from '../node.ts';
import { pathEnd } from '../tokens/tokens.ts';
import { closing, find, textOf } from './text-edit.ts';
import type { Rewrite, Written } from './written.ts';

/** Redshift's `UNLOAD ('SELECT ...') TO 's3://...'` holds its query as a text. */
export function quotedQuery(written: Written): Rewrite | null {
  const { tokens } = written;
  const inner = tokens[2];
  const query = inner?.kind === 'string' || inner?.kind === 'body' ? inner : null;
  if (tokens[0]?.word !== 'UNLOAD' || tokens[1]?.word !== '(') return null;
  if (!query)
    return {
      what: 'the query of UNLOAD was read',
      texts: [textOf(written, 2, closing(tokens, 1) - 1)],
    };
  const tag = query.kind === 'body' ? query.text.indexOf('$', 1) + 1 : 1;
  // A quote within is doubled, or has a backslash before it, where the token ends too early.
  const [, quoted] =
    /^\(\s*'((?:[^'\\]|''|\\.)*)'/s.exec(written.text.slice(tokens[1].start)) ?? [];
  const text = query.kind === 'string' ? (quoted ?? '') : query.text.slice(tag, -tag);
  const plain = query.kind === 'string' ? text.replaceAll("''", "'").replaceAll("\\'", "'") : text;
  return { what: 'the query of UNLOAD was read', texts: [plain] };
}

/** `LOAD DATA ... INTO TABLE t ...` fills t from a file, however it is spelled. */
export function fileLoad(written: Written): Rewrite | null {
  const { tokens } = written;
  if (tokens[0]?.word !== 'LOAD' || tokens[1]?.word !== 'DATA') return null;
  const into = find(tokens, 2, (word) => word === 'INTO' || word === 'OVERWRITE');
  if (into < 0) return null;
  let name = into + 1;
  while (tokens[name]?.word === 'TABLE') name++;
  const end = pathEnd(tokens, name);
  const path = textOf(written, name, end);
  return {
    what: 'options of LOAD DATA were left out',
    texts: [`INSERT INTO ${path} VALUES (NULL)`],
    mend: (tree) => ({ load_data: { table: { table: bodyOf(tree).table } } }),
  };
}
