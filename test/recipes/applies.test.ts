// The recipes of CONTRIBUTING.md still apply to the project as it is.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../house/sources.ts';
import { recipes } from './all.ts';
import { edited } from './recipe.ts';

const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

test.each(recipes)('$title applies, and CONTRIBUTING.md names each of its files', (recipe) => {
  const section = contributing.split(/^## /m).find((part) => part.startsWith(`${recipe.title}\n`));
  expect(section, 'the section of CONTRIBUTING.md').toBeDefined();
  const files = new Set(recipe.edits.map(({ file }) => file));
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    expect(edited(recipe, file, text)).not.toBe(text);
  }
  for (const file of Object.keys(recipe.files ?? {}))
    expect(existsSync(join(root, file))).toBe(false);
  const untold = [...files].filter((file) => !section?.includes(file));
  expect(untold).toEqual([]);
});

test('an edit that no longer applies says where, which text, and what to do', () => {
  const edits = [{ file: 'src/a.ts', from: 'const gone = 1;', to: '' }];
  const recipe = { title: 'Adding a thing', edits };
  for (const text of ['', 'const gone = 1;\nconst gone = 1;\n']) {
    expect(() => edited(recipe, 'src/a.ts', text)).toThrow(
      /"Adding a thing" no longer applies: src\/a\.ts has this text [02] times, not once:\nconst gone = 1;\nMend/,
    );
  }
});
