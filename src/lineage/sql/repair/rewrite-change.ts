// Writes changes of rows in another form that the parser takes and that has the same lineage.

import { isNode, kindOf, listAt } from '../node.ts';
import { closing, textOf } from './text-edit.ts';
import type { Rewrite, Written } from './written.ts';

/** Spark's `MERGE ... UPDATE SET * EXCEPT (a)`: what the star leaves out goes back into the tree. */
export function mergeStars({ text, tokens }: Written): Rewrite | null {
  if (tokens[0]?.word !== 'MERGE') return null;
  const left: string[][] = [];
  let made = '';
  let from = 0;
  tokens.forEach((token, at) => {
    const isStar = token.word === '*' && /^(?:SET|INSERT)$/.test(tokens[at - 1]?.word ?? '');
    if (!isStar) return;
    const close = tokens[at + 1]?.word === 'EXCEPT' ? closing(tokens, at + 2) : -1;
    const names = close < 0 ? [] : tokens.slice(at + 3, close).filter(({ word }) => word !== ',');
    left.push(names.map((name) => name.text));
    if (close < 0) return;
    made += text.slice(from, token.end);
    from = tokens[close]?.end ?? from;
  });
  if (from === 0) return null;
  const what = 'what a star leaves out was read apart';
  return { what, texts: [made + text.slice(from)], mend: (tree) => withoutNames(tree, left) };
}

/** The tree with names left out of its stars, in the order of the text. */
function withoutNames(tree: unknown, left: string[][]): unknown {
  if (Array.isArray(tree)) return tree.map((each) => withoutNames(each, left));
  if (!isNode(tree)) return tree;
  if (isNode(tree.tuple)) {
    const parts = listAt(tree.tuple, 'expressions');
    const starred = parts.map((part) =>
      kindOf(part) === 'star' ? { star: { except: names(left.shift() ?? []) } } : part,
    );
    return { tuple: { ...tree.tuple, expressions: starred } };
  }
  return Object.fromEntries(
    Object.entries(tree).map(([field, part]) => [field, withoutNames(part, left)]),
  );
}

function names(list: readonly string[]) {
  return list.map((name) => ({ name: name.replace(/^[`"]|[`"]$/g, ''), quoted: false }));
}

/** PostgreSQL's `DELETE FROM t USING (SELECT ...) d WHERE ...`: which rows go is a filter. */
export function deleteUsingQuery(written: Written): Rewrite | null {
  const { tokens, dialect } = written;
  // There the table behind FROM is an alias of USING.
  if (/^(?:mysql|mariadb)$/.test(dialect.name)) return null;
  const using = tokens.findIndex(({ word }) => word === 'USING');
  if (tokens[0]?.word !== 'DELETE' || using < 0) return null;
  const returning = tokens.findIndex(({ word }, at) => at > using && word === 'RETURNING');
  const end = returning < 0 ? tokens.length - 1 : returning - 1;
  const head = textOf(written, 0, using - 1);
  const rest = textOf(written, using + 1, end);
  const what = 'USING was read as a filter';
  return { what, texts: [`${head} WHERE EXISTS (SELECT 1 FROM ${rest})`] };
}
