// Subscriptions as the clients of the guide have them: the very code of docs/graphql.md, run against the server.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Catalog, openCatalog } from '../catalog.ts';
import { root } from '../house/sources.ts';
import { hasTool } from '../tool.ts';

let catalog: Catalog;
let url: string;
beforeAll(async () => {
  catalog = await openCatalog();
  url = `${await catalog.listen()}/graphql`;
});
afterAll(() => catalog[Symbol.asyncDispose]());

const page = readFileSync(join(root, 'docs/graphql.md'), 'utf8');

/** A block of JavaScript of the guide that is made with a library, as a function of what it takes from outside. */
function codeWith(library: string, ...names: string[]): (...given: unknown[]) => unknown {
  const blocks = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
  const code = blocks.find((block) => block.includes(`from '${library}'`));
  if (!code) throw new Error(`The guide has no code with ${library}.`);
  const body = code.replaceAll(/^import \{ (.*?) \} from '(.*?)';$/gm, (_all, imported, from) => {
    const file = {
      'graphql-sse': 'graphql-sse/lib/index.mjs',
      '@urql/core': '@urql/core/dist/urql-core.mjs',
    }[String(from)];
    return `const { ${imported} } = await import('${new URL(`../../tools/node_modules/${file}`, import.meta.url)}');`;
  });
  return new Function(...names, `return (async () => {\n${body}\n})();`) as never;
}
