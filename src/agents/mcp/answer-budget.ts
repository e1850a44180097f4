// Answers within a budget: what is too long is shortened from its largest list on, and the answer says what was left out.

/** Characters that count as a token. */
const charactersPerToken = 4;
/** Characters of one text in an answer, from the first try on to the last. */
const textLengths = [10_000, 2_000, 400] as const;
/** Rows that stay of a list whatever the budget is. */
const fewestRows = 1;

type Json = Record<string, unknown>;

/** An answer that fits, and what it lacks in words, for its reader to ask again. */
export interface Fitted {
  readonly data: Json;
  readonly leftOut: readonly string[];
}

/**
 * An answer of at most so many tokens, without what is null below its fields. Texts are cut first, then rows of the list
 * that takes most. A page that lost rows has no cursor any more: that of its last row would skip them.
 */
export function fitted(answer: Json, maxTokens: number): Fitted {
  const max = maxTokens * charactersPerToken;
  let data = answer;
  let cutTexts = 0;
  for (const length of textLengths) {
    cutTexts = 0;
    data = Object.fromEntries(
      Object.entries(answer).map(([name, value]) => [
        name,
        slim(value, (text) => {
          if (text.length <= length) return text;
          cutTexts += 1;
          return `${text.slice(0, length)} (cut: ${text.length} characters)`;
        }),
      ]),
    );
    if (JSON.stringify(data).length <= max) break;
  }
  const leftOut = cutRows(data, max);
  if (cutTexts > 0) leftOut.push(`${cutTexts} texts are cut; read one resource alone for more.`);
  return { data, leftOut };
}

/** A copy without nulls, its texts shortened. */
function slim(value: unknown, shorten: (text: string) => string): unknown {
  if (typeof value === 'string') return shorten(value);
  if (Array.isArray(value)) return value.map((one) => slim(one, shorten));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return Object.fromEntries(entries.map(([name, one]) => [name, slim(one, shorten)]));
}

interface List {
  readonly path: string;
  readonly rows: unknown[];
  /** The object that has the list, in which its page may be described. */
  readonly of: Json;
}

function cutRows(data: Json, max: number): string[] {
  const whole = new Map<unknown[], { readonly list: List; readonly count: number }>();
  for (;;) {
    const excess = JSON.stringify(data).length - max;
    if (excess <= 0) break;
    const lists = listsIn(data, '').filter(({ rows }) => rows.length > fewestRows);
    const sized = lists.map((list) => ({ list, size: JSON.stringify(list.rows).length }));
    const largest = sized.toSorted((one, other) => other.size - one.size)[0];
    if (!largest) break;
    const { list, size } = largest;
    const { rows } = list;
    if (!whole.has(rows)) whole.set(rows, { list, count: rows.length });
    const rowSize = size / rows.length;
    const fewer = Math.max(1, Math.min(rows.length - fewestRows, Math.ceil(excess / rowSize)));
    rows.splice(rows.length - fewer);
  }
  return [...whole.values()].map(({ list, count }) => {
    const { pageInfo } = list.of;
    const isPage = typeof pageInfo === 'object' && pageInfo !== null;
    if (isPage) list.of.pageInfo = { hasNextPage: true };
    const again = isPage ? `; ask again with first: ${list.rows.length}` : '';
    return `${list.path}: ${list.rows.length} of ${count} are here${again}.`;
  });
}

/** The lists of an answer; those within rows of another are the outer one's to cut. */
function listsIn(value: Json, path: string): List[] {
  return Object.entries(value).flatMap(([name, one]): List[] => {
    const own = path === '' ? name : `${path}.${name}`;
    if (Array.isArray(one)) return [{ path: own, rows: one, of: value }];
    return isObject(one) ? listsIn(one, own) : [];
  });
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
