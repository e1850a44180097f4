// Prepares, once for a whole run, the server and the database that every test file starts from a copy of.

import { prepareServer } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the server that the tests of this run use. */
    server: string;
    /** The folder of its socket; '' where it is on another machine. */
    socketFolder: string;
    /** What follows `create database NAME` on it for one of a test file. */
    copying: string;
  }
}

interface Project {
  provide(key: 'server' | 'socketFolder' | 'copying', value: string): void;
}

/** vitest calls this before the first test file, and what it returns after the last one. */
export async function setup(project: Project): Promise<() => Promise<void>> {
  const server = await prepareServer();
  project.provide('server', server.url);
  project.provide('socketFolder', server.socketFolder);
  project.provide('copying', server.copying);
  return async () => server[Symbol.asyncDispose]();
}
