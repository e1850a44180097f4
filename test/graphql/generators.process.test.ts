// Generators of types: each reads schema.graphql, and the code of the guide compiles with what it makes.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../house/sources.ts';
import { hasTool } from '../tool.ts';
import { typedAnswers } from './typed-answers.ts';

const tools = join(root, 'tools');
const sdl = readFileSync(join(root, 'schema.graphql'), 'utf8');
const page = readFileSync(join(root, 'docs/graphql.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'headwater-types-'));
beforeAll(() => symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'), 'dir'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the custom scalars are in JSON. */
const scalars = { DateTime: 'string', SafeInt: 'number', JSON: 'unknown' };

/** The TypeScript of the guide that begins with such a comment. */
function guided(comment: string): string {
  const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
  return blocks.find((code) => code.startsWith(`// With ${comment}`)) ?? '';
}

/** Every query, mutation and subscription of the guide. */
const documents = [...page.matchAll(/```graphql\n(.*?)```/gs)]
  .map(([, text = '']) => text)
  .filter((text) => /^(query|mutation|subscription) \w/.test(text));

const operations = [...guided('gql.tada').matchAll(/graphql\(`(.*?)`\)/gs)]
  .map(([, text = '']) => text)
  .join('\n');

/** Run a script of ES modules next to the tools, which are no packages of ours. */
function run(code: string): void {
  const file = join(folder, 'generate.mjs');
  writeFileSync(file, `const sdl = ${JSON.stringify(sdl)};\n${code}`);
  execFileSync(process.execPath, [file], { cwd: folder, stdio: 'pipe' });
}

/** What the compiler says of some files, line by line. */
function compile(files: readonly string[]): string[] {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'es2022', types: [], skipLibCheck: true },
    ...{ module: 'nodenext', moduleResolution: 'nodenext', exactOptionalPropertyTypes: true },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = createRequire(join(tools, 'package.json')).resolve('typescript/package.json');
  try {
    execFileSync(process.execPath, [join(tsc, '../bin/tsc'), '-p', folder], { encoding: 'utf8' });
    return [];
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
    return said.trim().split('\n');
  }
}

/** The code of the guide compiles, and no longer when it names what is not there. */
function expectTyped(name: string, code: string, [word, wrong]: readonly [string, string]): void {
  expect(code).toContain(word);
  writeFileSync(join(folder, `${name}.ts`), code);
  expect(compile([`${name}.ts`])).toEqual([]);
  writeFileSync(join(folder, `${name}.ts`), code.replace(word, wrong));
  expect(compile([`${name}.ts`]).join('\n')).toContain('error TS');
}

const long = 120_000;

describe.runIf(hasTool('@graphql-codegen/core'))('graphql-codegen', () => {
  test(
    'makes the types of operations, and of the whole schema',
    () => {
      run(`
        import { writeFileSync } from 'node:fs';
        import { codegen } from '@graphql-codegen/core';
        import * as typescript from '@graphql-codegen/typescript';
        import * as operations from '@graphql-codegen/typescript-operations';
        import { parse } from 'graphql';
        const make = async (filename, name, plugin) => writeFileSync(filename, await codegen({
          filename, schema: parse(sdl), plugins: [{ [name]: {} }], pluginMap: { [name]: plugin },
          documents: [{ location: 'a.graphql', document: parse(${JSON.stringify(operations)}) }],
          config: { scalars: ${JSON.stringify(scalars)}, strictScalars: true },
        }));
        await make('schema.ts', 'typescript', typescript);
        await make('operations.ts', 'typescript-operations', operations);
      `);
      expect(compile(['schema.ts', 'operations.ts'])).toEqual([]);
      expectTyped('codegen', guided('graphql-codegen'), [`'row_count'`, `'rowcount'`]);
    },
    long,
  );
});

describe.runIf(hasTool('@graphql-codegen/client-preset'))(
  'the client preset of graphql-codegen',
  () => {
    test(
      'types the ten questions of the guide, their variables and answers, without a cast',
      () => {
        mkdirSync(join(folder, 'preset'));
        run(`
        import { writeFileSync } from 'node:fs';
        import { codegen } from '@graphql-codegen/core';
        import { preset } from '@graphql-codegen/client-preset';
        import { buildSchema, parse } from 'graphql';
        const documents = ${JSON.stringify(documents)}.map((rawSDL, at) => ({
          location: at + '.graphql', document: parse(rawSDL), rawSDL,
        }));
        const files = await preset.buildGeneratesSection({
          baseOutputDir: 'preset/', schema: parse(sdl), schemaAst: buildSchema(sdl), documents,
          config: {
            scalars: ${JSON.stringify(scalars)}, strictScalars: true, enumsAsTypes: true,
            useTypeImports: true, nonOptionalTypename: true,
          },
          presetConfig: { fragmentMasking: false }, plugins: [], pluginMap: {}, pluginContext: {},
        });
        for (const file of files) writeFileSync(file.filename, await codegen(file));
      `);
        expect(typedAnswers).not.toMatch(/\bas (?!const)|\bany\b|!\.|@ts-/);
        expectTyped('answers', typedAnswers, ['activityType ===', 'activityTyp ===']);
        for (const [right, wrong] of [
          ["kinds: ['table', 'dashboard']", "kinds: ['tables']"],
          ['{ id, ...month }', '{ id }'],
          ['resource.parent?.owners', 'resource.parent.owners'],
          ["=== 'table_created'", "=== 'table_made'"],
        ] as const) {
          expect(typedAnswers).toContain(right);
          writeFileSync(join(folder, 'answers.ts'), typedAnswers.replace(right, wrong));
          expect(compile(['answers.ts']).join('\n'), wrong).toContain('error TS');
        }
      },
      long,
    );
  },
);

describe.runIf(hasTool('gql.tada'))('gql.tada', () => {
  test(
    'reads the schema, and queries as they are written',
    () => {
      run(`
        import { writeFileSync } from 'node:fs';
        import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
        import { buildSchema, introspectionFromSchema } from 'graphql';
        const introspection = minifyIntrospection(introspectionFromSchema(buildSchema(sdl)));
        const options = { fileType: '.d.ts', shouldPreprocess: true };
        writeFileSync('graphql-env.d.ts', outputIntrospectionFile(introspection, options));
      `);
      expectTyped('tada', guided('gql.tada'), [`metricType: 'row_count'`, 'name: null']);
    },
    long,
  );
});

describe.runIf(hasTool('@genql/cli'))('genql', () => {
  test(
    'makes a client whose queries are objects',
    () => {
      mkdirSync(join(folder, 'genql'));
      run(`
        import { generate } from '@genql/cli';
        const scalarTypes = ${JSON.stringify(scalars)};
        await generate({ schema: sdl, output: ${JSON.stringify(join(folder, 'genql'))}, scalarTypes });
      `);
      expectTyped('client', guided('genql'), [`status: 'incident'`, `status: 'incidents'`]);
    },
    long,
  );
});

test('the guide has code for each', () => {
  for (const name of ['graphql-codegen', 'gql.tada', 'genql']) expect(guided(name)).not.toBe('');
});
