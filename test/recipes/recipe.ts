// A recipe of CONTRIBUTING.md as changes to files, and how they are applied to a copy of the project.

import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../house/sources.ts';

/** Text of a file, and what the recipe puts in its place. */
export interface Edit {
  readonly file: string;
  /** It stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
}

export interface Recipe {
  /** The heading in CONTRIBUTING.md. */
  readonly title: string;
  readonly edits: readonly Edit[];
  /** New files: where each goes, and the file next to this one that holds it. */
  readonly files?: Readonly<Record<string, string>>;
}

/** An edit that puts lines after a line. */
export function after(file: string, line: string, ...added: readonly string[]): Edit {
  return { file, from: `${line}\n`, to: [line, ...added, ''].join('\n') };
}

/** The text of a file with a recipe's edits of it. Throws, naming the text, where one does not apply. */
export function edited(recipe: Recipe, file: string, text: string): string {
  let result = text;
  for (const { from, to } of recipe.edits.filter((edit) => edit.file === file)) {
    const times = result.split(from).length - 1;
    if (times !== 1) {
      throw new Error(
        `The recipe "${recipe.title}" no longer applies: ${file} has this text ${times} times, not once:\n` +
          `${from}\nMend the recipe in test/recipes, and CONTRIBUTING.md where it says the same.`,
      );
    }
    result = result.replace(from, () => to);
  }
  return result;
}

/** Change the project in a folder as recipes say. */
export async function apply(recipes: readonly Recipe[], folder: string): Promise<void> {
  for (const recipe of recipes) {
    for (const file of new Set(recipe.edits.map((edit) => edit.file))) {
      const path = join(folder, file);
      await writeFile(path, edited(recipe, file, await readFile(path, 'utf8')));
    }
    for (const [file, source] of Object.entries(recipe.files ?? {})) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await cp(join(root, 'test/recipes', source), join(folder, file));
    }
  }
}

const folders = ['src', 'scripts', 'prisma', 'test', 'docs', 'gates'];

/** Copy the project. Packages are linked, what is built is not copied. */
export async function copyProject(folder: string): Promise<void> {
  const isSource = (path: string) => !/\/(generated|images)$/.test(path);
  const entries = await readdir(root, { withFileTypes: true });
  const settings = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  for (const part of [...folders, ...settings]) {
    await cp(join(root, part), join(folder, part), { recursive: true, filter: isSource });
  }
  const packages = join(root, 'node_modules');
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir(packages)) {
    // Caches are of the project that they were made from.
    if (/^\.(cache|vite)/.test(name)) continue;
    await symlink(join(packages, name), join(folder, 'node_modules', name));
  }
}
