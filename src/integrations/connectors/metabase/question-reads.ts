// What a question of Metabase reads: the tables, fields and other questions that its query names, in any of its shapes.

/** What is read, by Metabase's ids. */
export interface QuestionReads {
  readonly tables: ReadonlySet<number>;
  readonly fields: ReadonlySet<number>;
  readonly cards: ReadonlySet<number>;
  /** SQL of its own, with the tags filled in; null for none. */
  readonly sql: string | null;
}

const maxDepth = 60;
/** What the id of a question follows where it stands for a table. */
const ofCard = 'card__';

/** Collect what a query names, anywhere in it: to know what is read needs no understanding of its clauses. */
export function readsOf(query: unknown): QuestionReads {
  const found = {
    tables: new Set<number>(),
    fields: new Set<number>(),
    cards: new Set<number>(),
    sql: [] as string[],
  };
  visit(parsedIfText(query), found, 0);
  const sql = found.sql.map((text) => filled(text, found.cards));
  return { ...found, sql: sql.length > 0 ? sql.join(';\n') : null };
}

interface Found {
  readonly tables: Set<number>;
  readonly fields: Set<number>;
  readonly cards: Set<number>;
  readonly sql: string[];
}

/** Old dumps hold a query as text. */
function parsedIfText(query: unknown): unknown {
  if (typeof query !== 'string') return query;
  try {
    return JSON.parse(query);
  } catch {
    return null;
  }
}

function visit(value: unknown, found: Found, depth: number): void {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    noteField(value, found);
    for (const item of value) visit(item, found, depth + 1);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (key === 'source-table') noteSource(item, found);
    else if (key === 'source-card' && typeof item === 'number') found.cards.add(item);
    else if (key === 'card-id' && typeof item === 'number') found.cards.add(item);
    else if (key === 'native' && typeof item === 'string') found.sql.push(item);
    else if (key === 'native') noteNative(item, found);
    visit(item, found, depth + 1);
  }
}

function noteSource(source: unknown, { tables, cards }: Found): void {
  if (typeof source === 'number') tables.add(source);
  if (typeof source !== 'string' || !source.startsWith(ofCard)) return;
  const card = source.slice(ofCard.length);
  if (/^\d+$/.test(card)) cards.add(Number(card));
}

function noteNative(native: unknown, { sql }: Found): void {
  if (typeof native !== 'object' || native === null || !('query' in native)) return;
  if (typeof native.query === 'string') sql.push(native.query);
}

/** `["field", 12, {...}]`, `["field-id", 12]`, and since version 57 `["field", {...}, 12]`. */
function noteField([name, first, second]: readonly unknown[], { fields }: Found): void {
  if (name !== 'field' && name !== 'field-id') return;
  for (const id of [first, second]) if (typeof id === 'number') fields.add(id);
}

/** SQL with something in place of its tags, so that it can be read; cards that it names are noted. */
function filled(sql: string, cards: Set<number>): string {
  return sql
    .replaceAll(/\[\[|\]\]/g, ' ')
    .replaceAll(/\{\{\s*#(\d+)[^}]*\}\}/g, (_, card: string) => {
      cards.add(Number(card));
      return `(select 1 as card_${card})`;
    })
    .replaceAll(/\b(where|and|or|on)(\s+)\{\{[^}]*\}\}/gi, '$1$2 1 = 1')
    .replaceAll(/\{\{[^}]*\}\}/g, `'1'`);
}
