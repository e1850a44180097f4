// Distinguishes values that are made by counting or ordering rows from those that are made of nothing.
import { bodyOf, kindOf, textAt, walk } from '../node.ts';
import { words } from '../word-set.ts';

const ROW_KINDS = words(
  'count exists pseudocolumn row_number rank dense_rank percent_rank cume_dist n_tile ntile',
  'window_function',
);

/** Whether a value without columns comes from counting or ordering rows. */
export function countsRows(expression: unknown): boolean {
  let counts = false;
  walk(expression, (value) => {
    const kind = kindOf(value);
    if (kind === null) return;
    const isFunction = kind === 'function' && /^count/i.test(textAt(bodyOf(value), 'name') ?? '');
    if (ROW_KINDS.has(kind) || isFunction) counts = true;
  });
  return counts;
}
