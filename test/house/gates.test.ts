// The list of gates agrees with the commands, the documentation and the files that it names.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { controls, without } from '../../gates/controls.mjs';
import { gates } from '../../gates/gates.ts';
import { filesMatching, root } from './sources.ts';

const names = gates.map(({ name }) => name).sort();

test('each gate is a command of its own, and there is no other', () => {
  const [manifest] = filesMatching(/^package\.json$/);
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(manifest?.text ?? '{}');
  const commands = Object.entries(scripts).filter(([name]) => name.startsWith('gate:'));
  expect(Object.fromEntries(commands)).toEqual(
    Object.fromEntries(names.map((name) => [`gate:${name}`, `tsx gates/all.ts ${name}`])),
  );
});

test('what a gate runs is there', () => {
  const files = gates.flatMap(({ run }) => ('tests' in run ? run.tests : [run.program]));
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('reliability.md has a row for each gate, and no other', () => {
  const [page] = filesMatching(/^docs\/reliability\.md$/);
  const rows = [...(page?.text ?? '').matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name);
  expect(rows.sort()).toEqual(names);
});

test('each gate has a negative control, which takes something out of the program', () => {
  const sources = filesMatching(/^src\/(?!generated\/).*\.ts$/);
  for (const { name, without: control } of gates) {
    expect(Object.keys(controls), name).toContain(control);
  }
  for (const control of Object.keys(controls)) {
    // It throws where a source no longer holds what is to be taken out.
    const changed = sources.filter(
      ({ path, text }) => without(control, join(root, path), text) !== text,
    );
    const named = controls[control]?.flatMap(({ path }) => path ?? []) ?? [];
    expect(
      changed.map(({ path }) => path),
      control,
    ).toEqual(expect.arrayContaining(named));
    expect(changed.length, control).toBeGreaterThan(0);
  }
  expect(() => without('nothing', join(root, 'src/main.ts'), '')).toThrow('no control nothing');
});
