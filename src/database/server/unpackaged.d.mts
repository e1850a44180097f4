/** What to say where no PostgreSQL server is packaged for this system; null where one is. */
export function unpackaged(): string | null;
