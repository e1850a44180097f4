// Files that people take along: what a page made, as a download.

/** Give a file to the browser, which keeps it under this name. */
export function saveFile(name: string, content: Blob | string, type = 'text/csv'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name.replaceAll('/', '-');
  link.click();
  URL.revokeObjectURL(link.href);
}

/** What a spreadsheet would take for a formula. */
const formula = /^[=+\-@\t\r]/;

/** Rows as CSV (RFC 4180), the first of them its header; a spreadsheet takes no cell for a formula. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) =>
    `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
