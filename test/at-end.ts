// What a test file leaves for its end. Apart from what opens catalogs: a test that needs none doesn't load the program.

/** Called after each test file. */
export const atEnd = new Set<() => Promise<void>>();
