// Reads the project's own files for the tests that hold it to its rules.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A source file: its path from the project's folder, with slashes, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Folders that hold what was made or installed, not written. */
const foreign = new Set([
  '.git',
  'node_modules',
  'dist',
  'dist.new',
  'data',
  'coverage',
  'generated',
]);

/** The files of the project whose path matches. */
export function filesMatching(pattern: RegExp): SourceFile[] {
  return paths('')
    .filter((path) => pattern.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function paths(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return foreign.has(entry.name) ? [] : paths(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Modules that a file imports: packages by name, files by their path from the project's folder. */
export function importsOf({ path, text }: SourceFile): string[] {
  const statements = text.matchAll(
    /^(?:import|export)\s[^'";]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return [...statements].map(([, one, two, three]) => {
    const module = one ?? two ?? three ?? '';
    return module.startsWith('.') ? normalize(join(dirname(path), module)) : module;
  });
}
