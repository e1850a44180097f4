// What GitHub, editors and bots read: it is well formed and agrees with the project.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { filesMatching, root } from './sources.ts';

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

/** The parts of GitHub's syntax of workflows that ours use. */
const step = z.union([
  z.strictObject({
    uses: z.string().regex(/^[\w-]+\/[\w-]+@v\d+\.\d+\.\d+$/, 'Pin an action by its version.'),
    with: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  }),
  z.strictObject({ run: z.string() }),
]);
const workflow = z.strictObject({
  name: z.string(),
  on: z.strictObject({
    push: z
      .strictObject({
        branches: z.array(z.string()).optional(),
        tags: z.array(z.string()).optional(),
      })
      .optional(),
    pull_request: z.null().optional(),
    schedule: z.array(z.strictObject({ cron: z.string().regex(/^(\S+ ){4}\S+$/) })).optional(),
    workflow_dispatch: z.null().optional(),
  }),
  permissions: z.strictObject({ contents: z.enum(['read', 'write']) }),
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.boolean() }).optional(),
  jobs: z.record(
    z.string(),
    z.strictObject({
      'runs-on': z.string(),
      'timeout-minutes': z.number(),
      env: z.record(z.string(), z.string()).optional(),
      steps: z.array(step),
    }),
  ),
});

test('workflows are what GitHub reads, pin their actions, and run what is there', () => {
  const files = filesMatching(/^\.github\/workflows\/.*\.yml$/);
  expect(files.map(({ path }) => path.replace(/^.*\//, ''))).toEqual([
    'nightly.yml',
    'release.yml',
    'test.yml',
  ]);
  const { scripts } = JSON.parse(read('package.json'));
  for (const { path, text } of files) {
    expect(text, path).not.toMatch(/registry/);
    const { name, jobs } = workflow.parse(parse(text), { error: () => path });
    const commands = Object.values(jobs).flatMap(({ steps }) =>
      steps.flatMap((one) => ('run' in one ? [one.run] : [])),
    );
    expect(commands, path).toContain(name === 'nightly' ? '.ci/nightly' : '.ci/run');
    for (const command of commands) {
      const [, script] = /^npm run ([\w:]+)/.exec(command) ?? [];
      const [file] = /(?<=^|-f )[\w.]+\/[\w./]+/.exec(command) ?? [];
      if (script !== undefined) expect(Object.keys(scripts), command).toContain(script);
      if (file !== undefined) expect(existsSync(join(root, file)), command).toBe(true);
    }
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
