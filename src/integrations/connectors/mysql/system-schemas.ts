// What MySQL and MariaDB bring of their own.

/** What the server calls the one catalog that all its databases are in. */
export const catalogName = 'def';

/** Databases that hold no one's data, as SQL lists them. */
export const systemSchemas = `('information_schema', 'mysql', 'performance_schema', 'sys')`;
