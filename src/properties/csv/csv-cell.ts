// Cells of CSV as spreadsheets read them: quoted where they have to be, and never taken for a formula.

/** What a spreadsheet would take for a formula, behind any number of the signs that keep it from that. */
const formula = /^'*[=+\-@\t\r]/;
const guarded = /^'+[=+\-@\t\r]/;

/** A cell of a line; `textOf` gives the same text again. */
export function cellOf(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",;\n\r\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell, without the sign that keeps it from being a formula. */
export function textOf(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell;
}

/** One of several things in a cell, such as a name of a tag; what separates them is written twice within one. */
export function joined(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(';', ';;')).join('; ');
}

/** The things of such a cell, each once. */
export function parted(text: string): string[] {
  const parts = text.split(/(?<!;);(?!;)/).map((part) => part.replaceAll(';;', ';').trim());
  return [...new Set(parts.filter((part) => part !== ''))];
}
