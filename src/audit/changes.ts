// What a deed changed, field by field: what it was and what it is, within bounds.

/** A field that a deed changed. Values are JSON. */
export interface FieldChange {
  /** The field, as GraphQL names it. */
  readonly field: string;
  /** What it was; null where there was nothing. */
  readonly before: unknown;
  /** What it is now; null where there is nothing. */
  readonly after: unknown;
  /** What of the values is not here; null where all is. */
  readonly note: string | null;
}

/** Characters of a value that an entry keeps. */
export const maxLength = 1_000;
/** Items of a list up to which it is kept as a whole; of a longer one the difference is kept. */
export const maxItems = 100;

/** Fields that follow from others, or say when and by whom rather than what. */
const implied = new Set([
  'version',
  'updatedAt',
  'titleFull',
  'definitionVersion',
  'editedFields',
  'approvedAt',
  'approvedById',
  'multiplayerIds',
  'multiplayerLastModifiedBy',
  'multiplayerLastModified',
  'nextRunAt',
  'scheduledExtractionsNextRun',
]);

/** Of what is made or deleted, the entry itself says these. */
const saidByEntry = new Set(['workspaceId', 'id', 'kind', 'createdAt', 'createdById']);

/** Values that say nothing, of fields that usually have another one than none. */
const usual: Readonly<Record<string, unknown>> = {
  isEnabled: true,
  emailNotifications: true,
  conditionManualMin: null,
  conditionManualMax: null,
  scheduledExtractionsHour: null,
};

/** Fields whose values no one reads, also not here. */
const secrets = new Set(['credentials', 'secret', 'hash']);

/** The fields that differ between two states of a record. */
export function changesOf(before: object, after: object): FieldChange[] {
  const old = new Map(Object.entries(before));
  return Object.entries(after)
    .filter(([field, value]) => !implied.has(field) && !isSame(old.get(field), value))
    .map(([field, value]) => changeOf(field, old.get(field), value));
}

/** What a new record was made with. */
export function changesOfNew(after: object): FieldChange[] {
  return filled(after).map(([field, value]) => changeOf(field, null, value));
}

/** What a record was that is deleted. */
export function changesOfGone(before: object): FieldChange[] {
  return filled(before).map(([field, value]) => changeOf(field, value, null));
}

/** One field that was changed. */
export function changeOf(field: string, before: unknown, after: unknown): FieldChange {
  if (secrets.has(field)) return { field, before: null, after: 'changed', note: secretNote };
  const lists = [before, after].filter((value) => Array.isArray(value));
  if (lists.some(({ length }) => length > maxItems)) return difference(field, before, after);
  const [one, other] = [bounded(before), bounded(after)];
  const notes = [
    one.length ? `${one.length} characters before.` : '',
    other.length ? `${other.length} characters now.` : '',
    one.length || other.length ? `The first ${maxLength} are kept.` : '',
  ];
  const note = notes.filter((part) => part !== '').join(' ') || null;
  return { field, before: one.value, after: other.value, note };
}

const secretNote = 'A secret: its values are not kept.';

/** The fields of a record that say something. */
function filled(record: object): [string, unknown][] {
  return Object.entries(record).filter(
    ([field, value]) => !implied.has(field) && !saidByEntry.has(field) && !isEmpty(field, value),
  );
}

function isEmpty(field: string, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Object.hasOwn(usual, field)) return value === usual[field];
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === 'object' && !(value instanceof Date)) return Object.keys(value).length === 0;
  return value === '' || value === false || value === 0;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** A value as JSON within the bounds; its length where it was cut. */
function bounded(value: unknown): { readonly value: unknown; readonly length?: number } {
  if (value === null || value === undefined) return { value: null };
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
  if (text.length > maxLength) {
    // Between the halves of a character beyond 16 bits it can't be cut.
    return { value: text.slice(0, maxLength).toWellFormed(), length: text.length };
  }
  return { value: typeof value === 'string' ? value : JSON.parse(text) };
}

/** Of long lists: what is gone, and what is new. */
function difference(field: string, before: unknown, after: unknown): FieldChange {
  const [old, now] = [listOf(before), listOf(after)];
  const [was, is] = [new Set(old), new Set(now)];
  const gone = old.filter((item) => !is.has(item));
  const added = now.filter((item) => !was.has(item));
  const cut = Math.max(gone.length, added.length) > maxItems ? `, ${maxItems} of each at most` : '';
  return {
    field,
    before: gone.slice(0, maxItems),
    after: added.slice(0, maxItems),
    note: `A list of ${old.length} before and ${now.length} now: only what went (${gone.length}) and what came (${added.length}) is kept${cut}.`,
  };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
