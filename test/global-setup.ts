// Prepares, once for a whole run, the database that every test file starts from a copy of.

import { prepareTemplate } from './template.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** What the databases of this run are copied from: a tar's path, or a PostgreSQL database. */
    template: string;
  }
}

interface Project {
  provide(key: 'template', value: string): void;
}

/** vitest calls this before the first test file, and what it returns after the last one. */
export async function setup(project: Project): Promise<() => Promise<void>> {
  const template = await prepareTemplate();
  project.provide('template', template.name);
  return async () => template[Symbol.asyncDispose]();
}
