// In charge of which text the database can hold.

/** Whether PostgreSQL can store the text: no U+0000, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
