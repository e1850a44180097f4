// The documentation: nothing it points at is missing, and it says the same as the program.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { buildSchema, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { gateOf } from '../../gates/gates.ts';
import { readConfig, settingNames } from '../../src/config.ts';
import { filesMatching, root } from './sources.ts';

const pages = filesMatching(
  /^(README|CHANGELOG|CONTRIBUTING|SECURITY|CODE_OF_CONDUCT|docs\/.*)(\.md)$/,
);
const page = (path: string) => pages.find((file) => file.path === path)?.text ?? '';

/** Where a heading can be pointed at, as it is on the web pages made of these files. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** A text without its code, in which brackets mean something else. */
function prose(text: string): string {
  return text.replaceAll(/```.*?```/gs, '').replaceAll(/`[^`\n]*`/g, '');
}

test('no link of the documentation is broken', () => {
  const links = pages.flatMap(({ path, text }) =>
    [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => ({ path, link })),
  );
  expect(links.length).toBeGreaterThan(15);
  const broken = links.filter(({ path, link }) => {
    if (/^https?:/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : normalize(join(dirname(path), file));
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(page(target)).has(anchor);
  });
  expect(broken).toEqual([]);
});

test('every picture in the repository is shown by a page', () => {
  const pictures = [
    'docs/graphiql.png',
    ...readdirSync(join(root, 'docs/images'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(root, join(parentPath, name))),
  ];
  const shown = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, file = '']) =>
      normalize(join(dirname(path), file)),
    ),
  );
  expect(pictures.filter((picture) => !shown.includes(picture))).toEqual([]);
});

test('operations.md documents every setting with its default, and no other', () => {
  const rows = [...page('docs/operations.md').matchAll(/^\| `([A-Z_]+)` \| (?:`(.*?)`)? ?\|/gm)];
  expect(rows.map(([, name]) => name).sort()).toEqual([...settingNames].sort());
  const defaults = new Map<string, unknown>(Object.entries(readConfig({})));
  for (const [, name = '', written] of rows) {
    const value = defaults.get(name);
    expect(written ?? '', name).toBe(String(value ?? ''));
  }
});

test('every command of the README is there', () => {
  const [manifest] = filesMatching(/^package\.json$/);
  const { scripts } = JSON.parse(manifest?.text ?? '{}');
  const named = [...page('README.md').matchAll(/npm (?:run )?(?:-s )?([a-z:]+)/g)].map(
    ([, name = '']) => name,
  );
  expect(named).toContain('start');
  const missing = named.filter((name) => name !== 'ci' && !Object.hasOwn(scripts, name));
  expect(missing).toEqual([]);
});

test('every gate and bench that the documentation names is there', () => {
  const text = pages.map((one) => one.text).join('\n');
  const named = [...text.matchAll(/npm run (gates|bench) -- ([a-z][\w-]*)/g)];
  expect(named.length).toBeGreaterThan(10);
  const missing = named.filter(([, command, name = '']) =>
    command === 'gates' ? !gateOf(name) : !existsSync(join(root, `bench/${name}.ts`)),
  );
  expect(missing.map(([whole]) => whole)).toEqual([]);
});

test('every query of the documentation is valid', () => {
  const [printed] = filesMatching(/^schema\.graphql$/);
  const schema = buildSchema(printed?.text ?? '');
  const blocks = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/```graphql\n(.*?)```/gs)].map(([, code = '']) => ({ path, code })),
  );
  // Operations of REST carry directives of their own, and are checked at the start.
  const queries = blocks.filter(({ code }) => !code.includes('@rest'));
  expect(queries.length).toBeGreaterThan(0);
  for (const { path, code } of queries) {
    expect(validate(schema, parse(code)), path).toEqual([]);
  }
});

test('every decision is listed', () => {
  const index = page('docs/decisions/README.md');
  const decisions = pages.filter(({ path }) => /^docs\/decisions\/(?!README)/.test(path));
  expect(decisions.length).toBeGreaterThan(5);
  const missing = decisions.filter(({ path }) => !index.includes(`(${path.slice(15)})`));
  expect(missing.map(({ path }) => path)).toEqual([]);
});

test('every decision has its date and its status below its title', () => {
  const decisions = pages.filter(({ path }) => /^docs\/decisions\/(?!README)/.test(path));
  const status = /^# .+\n\n\d{4}-\d\d-\d\d · (?:in force|superseded by \[.+\]\(\S+\.md\))\n\n/;
  expect(decisions.filter(({ text }) => !status.test(text)).map(({ path }) => path)).toEqual([]);
});

test('architecture.md knows every folder of the program', () => {
  const text = page('docs/architecture.md');
  const folders = filesMatching(/^src\/[^/]+\/.*\.ts$/).map(({ path }) => path.split('/')[1]);
  const missing = [...new Set(folders)].filter((name) => !text.includes(`\`src/${name}\``));
  expect(missing).toEqual([]);
});

test('every folder and file that the documentation names in code is there', () => {
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:src|test|scripts|docs|prisma)\/[\w./-]*)`/g)].map(([, file = '']) => ({
      path,
      file,
    })),
  );
  const missing = named.filter(({ file }) => !existsSync(join(root, file)));
  expect(missing).toEqual([]);
  expect(statSync(join(root, 'docs/graphiql.png')).size).toBeLessThan(500_000);
});
