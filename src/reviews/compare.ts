// What differs between a project as the catalog knows it and as a change would make it.

/** A table that a project makes or reads, as one side of a comparison. */
export interface Model {
  /** Database, schema and title joined with dots: the same on both sides. */
  readonly name: string;
  readonly nativeType: string | null;
  readonly sql: string | null;
  /** By lower-cased name, in order. */
  readonly columns: ReadonlyMap<string, ModelColumn>;
  /** False where its SQL does not name all of its columns, so that a missing one says nothing. */
  readonly isComplete: boolean;
}

/** A column of a model. */
export interface ModelColumn {
  readonly name: string;
  readonly type: string | null;
  /** The SQL that makes it, with the columns it is made of; null where that is not known. */
  readonly made: string | null;
}

/** What a change does to one model. */
export interface ModelChange {
  readonly name: string;
  /** What changed, in words, besides its columns. */
  readonly reasons: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly ColumnChange[];
}

/** What a change does to one column. */
export interface ColumnChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** What a change does to a project. */
export interface Comparison {
  readonly added: readonly ModelChange[];
  readonly removed: readonly ModelChange[];
  readonly changed: readonly ModelChange[];
  readonly unchanged: number;
}

/** Compare the models before and after a change, each side by lower-cased name. */
export function compareModels(
  before: ReadonlyMap<string, Model>,
  after: ReadonlyMap<string, Model>,
): Comparison {
  const added: ModelChange[] = [];
  const changed: ModelChange[] = [];
  let unchanged = 0;
  for (const [key, model] of after) {
    const old = before.get(key);
    if (!old) {
      added.push(whole(model, 'added'));
      continue;
    }
    const change = compare(old, model);
    if (change) changed.push(change);
    else unchanged += 1;
  }
  const removed = [...before].flatMap(([key, model]) =>
    after.has(key) ? [] : [whole(model, 'removed')],
  );
  return { added, removed, changed, unchanged };
}

function whole({ name, columns }: Model, side: 'added' | 'removed'): ModelChange {
  const names = [...columns.values()].map((column) => column.name);
  return { name, reasons: [], added: [], removed: [], changed: [], [side]: names };
}

function compare(before: Model, after: Model): ModelChange | null {
  const added = [...after.columns].filter(([key]) => !before.columns.has(key));
  const removed = after.isComplete
    ? [...before.columns].filter(([key]) => !after.columns.has(key))
    : [];
  const changed = [...after.columns].flatMap(([key, column]) => {
    const old = before.columns.get(key);
    return old ? differences(old, column) : [];
  });
  const reasons = reasonsFor(before, after);
  if (reasons.length + added.length + removed.length + changed.length === 0) return null;
  return {
    name: before.name,
    reasons,
    added: added.map(([, { name }]) => name),
    removed: removed.map(([, { name }]) => name),
    changed,
  };
}

function differences(before: ModelColumn, after: ModelColumn): ColumnChange[] {
  const changes: ColumnChange[] = [];
  const { name } = before;
  if (before.type && after.type && before.type.toLowerCase() !== after.type.toLowerCase()) {
    changes.push({ name, before: before.type, after: after.type });
  }
  if (before.made !== null && after.made !== null && before.made !== after.made) {
    changes.push({ name, before: before.made, after: after.made });
  }
  return changes;
}

function reasonsFor(before: Model, after: Model): string[] {
  const reasons: string[] = [];
  if (before.nativeType && after.nativeType && before.nativeType !== after.nativeType) {
    reasons.push(`${before.nativeType} becomes ${after.nativeType}`);
  }
  if (before.sql !== null && after.sql !== null && folded(before.sql) !== folded(after.sql)) {
    reasons.push('its SQL changed');
  }
  return reasons;
}

/** Blanks at the ends and at the ends of lines are no change that anybody reviews. */
function folded(sql: string): string {
  return sql
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}
