// The import rule: who may know of whom.

import { describe, expect, test } from 'vitest';
import { filesMatching, importsOf, type SourceFile } from './sources.ts';

/** Features from left to right: each may import those before it, but none of its own rank. */
const ranks = [
  ['auth'],
  ['audit'],
  ['jobs'],
  ['resources'],
  ['teams', 'tags', 'properties', 'people'],
  ['sign-in'],
  ['lineage'],
  ['integrations'],
  ['openlineage'],
  ['notifications'],
  ['monitors'],
  ['reviews'],
];

const sources = filesMatching(/^src\/(?!.*generated\/).*\.tsx?$/);
const rankOf = new Map(ranks.flatMap((names, rank) => names.map((name) => [name, rank] as const)));

function featureOf(path: string): string | undefined {
  const [, name = ''] = /^src\/([^/]+)\//.exec(path) ?? [];
  return rankOf.has(name) ? name : undefined;
}

/** The parts of a feature that show it in GraphQL; all others are its nouns and verbs. */
function isSchema(path: string): boolean {
  return /(^|[/-])schema\.ts$/.test(path);
}

/** The parts of a feature that take its uploads over REST. */
function isRoutes(path: string): boolean {
  return /\/routes?\.ts$/.test(path);
}

const features = sources.filter(({ path }) => featureOf(path) && !isSchema(path));
const nouns = features.filter(({ path }) => !isRoutes(path));

/** Each import of a file that breaks a rule, as `file -> module`. */
function breaches(files: readonly SourceFile[], isWrong: (module: string) => boolean): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter(isWrong)
      .map((module) => `${file.path} -> ${module}`),
  );
}

test('the rule is read from real imports', () => {
  expect(nouns.length).toBeGreaterThan(50);
  expect(nouns.flatMap(importsOf)).toContain('src/auth/permission.ts');
});

test('what a feature does knows no GraphQL', () => {
  const graphql = /^(graphql|graphql-.*|@pothos\/.*|@graphql-.*)$|^src\/graphql\/|schema\.ts$/;
  expect(breaches(features, (module) => graphql.test(module))).toEqual([]);
});

test('what a feature does knows no server of ours', () => {
  const http = /^(sofa-api|@whatwg-node\/.*)$|^src\/(rest|site)\/|^src\/(app|main)\.ts$/;
  expect(breaches(nouns, (module) => http.test(module))).toEqual([]);
});

test('a feature imports only features to its left', () => {
  const wrong = features.flatMap((file) => {
    const own = featureOf(file.path) ?? '';
    return importsOf(file)
      .filter((module) => {
        const other = featureOf(module);
        return other && other !== own && (rankOf.get(other) ?? 0) >= (rankOf.get(own) ?? 0);
      })
      .map((module) => `${file.path} -> ${module}`);
  });
  expect(wrong).toEqual([]);
});

test('the database and what all share know no feature', () => {
  const shared = sources.filter(({ path }) =>
    /^src\/(database\/|lists\/filter\.ts|network\/|secrets\/|errors\.ts|config\.ts|text\/|async\/|process\/thread\.ts)/.test(
      path,
    ),
  );
  expect(breaches(shared, (module) => featureOf(module) !== undefined)).toEqual([]);
});

test('only files of the schema know Pothos', () => {
  const others = sources.filter(
    ({ path }) => !isSchema(path) && !path.startsWith('src/graphql/') && !path.includes('loader'),
  );
  expect(breaches(others, (module) => module.startsWith('@pothos/'))).toEqual([]);
});

test('REST never imports Prisma or what a feature does', () => {
  const rest = sources.filter(({ path }) => path.startsWith('src/rest/'));
  expect(rest.length).toBeGreaterThan(10);
  const prisma = /^@prisma\/|^src\/generated\/|^src\/database\//;
  expect(breaches(rest, (module) => prisma.test(module))).toEqual([]);
});

test('no one but main starts the server, and no one imports main', () => {
  const others = sources.filter(({ path }) => path !== 'src/main.ts');
  expect(breaches(others, (module) => module === 'src/app.ts')).toEqual([]);
  expect(breaches(sources, (module) => module === 'src/main.ts')).toEqual([]);
});

describe('the explorer', () => {
  const explorer = sources.filter(({ path }) => path.startsWith('src/explorer/'));
  const isOurs = (module: string) => module.startsWith('src/');
  const isExplorer = (module: string) => module.startsWith('src/explorer/');

  test('is a client like any other: it knows nothing of the server, nor the server of it', () => {
    expect(explorer.length).toBeGreaterThan(10);
    expect(breaches(explorer, (module) => isOurs(module) && !isExplorer(module))).toEqual([]);
    const others = sources.filter((file) => !explorer.includes(file));
    expect(breaches(others, isExplorer)).toEqual([]);
  });

  test('runs in a browser: it imports nothing of Node.js', () => {
    expect(breaches(explorer, (module) => module.startsWith('node:'))).toEqual([]);
  });

  test('asks the server in one place, and sends files in another, which says how far they are', () => {
    const asking = explorer.filter(({ text }) => /\bfetch\(|XMLHttpRequest|EventSource/.test(text));
    expect(asking.map(({ path }) => path)).toEqual([
      'src/explorer/asking/ask.ts',
      'src/explorer/uploads/send-files.ts',
    ]);
  });

  test('its parts know no page', () => {
    const parts = explorer.filter(({ path }) => /^src\/explorer\/(parts|asking)\//.test(path));
    const page = /^src\/explorer\/(?!parts\/|asking\/|words[./])/;
    expect(parts.length).toBeGreaterThan(3);
    expect(breaches(parts, (module) => page.test(module))).toEqual([]);
  });
});

/** Parts of a grammar that contain each other, such as a query in an expression in a query. */
const mutual = 'src/lineage/sql/trace/';

test('no files know each other in a circle, but for the parts of the SQL tracer', () => {
  const circles = circlesOf(sources).filter(
    (circle) => !circle.every((path) => path.startsWith(mutual)),
  );
  expect(circles).toEqual([]);
  expect(circlesOf(sources)).not.toEqual([]);
});

/** Groups of files of which each leads to each other by imports, those of types too (Tarjan's algorithm). */
function circlesOf(files: readonly SourceFile[]): string[][] {
  const imports = new Map(files.map((file) => [file.path, importsOf(file)]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];

  function visit(path: string): number {
    const index = order.size;
    order.set(path, index);
    lowest.set(path, index);
    stack.push(path);
    for (const next of imports.get(path) ?? []) {
      if (!imports.has(next)) continue;
      const reached = order.has(next)
        ? stack.includes(next)
          ? (order.get(next) ?? index)
          : index
        : visit(next);
      lowest.set(path, Math.min(lowest.get(path) ?? index, reached));
    }
    const low = lowest.get(path) ?? index;
    if (low === index) {
      const group = stack.splice(stack.indexOf(path));
      if (group.length > 1) found.push(group.sort());
    }
    return low;
  }

  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return found;
}
