// The times in the address: a moment as it is, a day as its end.

/** The time as the server takes it; null where the address names none. */
export function timeIn(text: string): string | null {
  if (Number.isNaN(Date.parse(text))) return null;
  return text.includes('T') ? text : `${text}T23:59:59Z`;
}
