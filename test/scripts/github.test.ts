// What GitHub, editors and bots read: it is well formed and agrees with the project.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { filesMatching, root } from '../house/sources.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { engines } = JSON.parse(read('package.json'));

/** The parts of GitHub's syntax of issue forms that ours use. */
const form = z.strictObject({
  name: z.string(),
  description: z.string(),
  labels: z.array(z.string()),
  body: z.array(
    z.discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('markdown'),
        attributes: z.strictObject({ value: z.string() }),
      }),
      z.strictObject({
        type: z.enum(['input', 'textarea']),
        id: z.string(),
        attributes: z.strictObject({
          label: z.string(),
          description: z.string().optional(),
          render: z.string().optional(),
        }),
        validations: z.strictObject({ required: z.boolean() }).optional(),
      }),
    ]),
  ),
});

test('issue forms are what GitHub reads, and no field has the id of another', () => {
  const forms = filesMatching(/^\.github\/ISSUE_TEMPLATE\/(?!config).*\.yml$/);
  expect(forms.length).toBeGreaterThan(1);
  for (const { path, text } of forms) {
    const { body } = form.parse(parse(text), { error: () => path });
    const ids = body.flatMap((field) => ('id' in field ? [field.id] : []));
    expect([path, ids]).toEqual([path, [...new Set(ids)]]);
  }
});

test('the folders that have owners are there', () => {
  const folders = [...read('.github/CODEOWNERS').matchAll(/^\/(\S+)/gm)].map(
    ([, path = '']) => path,
  );
  expect(folders.length).toBeGreaterThan(3);
  expect(folders.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('version managers, containers and bots take the oldest Node.js that is supported', () => {
  const [oldest = ''] = engines.node.replace('>=', '').split('.');
  const container = JSON.parse(read('.devcontainer/devcontainer.json'));
  expect(read('.nvmrc').trim()).toBe(oldest);
  expect(container.image.split(':')[1]).toBe(oldest);
  expect(JSON.parse(read('renovate.json')).constraints.node).toBe(oldest);
});

test('files that are marked as generated are there, and editors indent as the formatter does', () => {
  const generated = [...read('.gitattributes').matchAll(/^(\S+) linguist-generated$/gm)];
  expect(generated.map(([, path = '']) => existsSync(join(root, path)))).not.toContain(false);
  const { formatter } = JSON.parse(read('biome.json'));
  expect(read('.editorconfig')).toContain(
    `indent_style = ${formatter.indentStyle}\nindent_size = ${formatter.indentWidth}\n`,
  );
  expect(read('.editorconfig')).toContain(`max_line_length = ${formatter.lineWidth}\n`);
});
