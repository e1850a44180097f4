// The commands of the README, run as a person would who has started the sample workspace.

import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { loadDemo } from '../../src/demo/demo.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { serveApp } from '../serve.ts';
import { filesMatching, root } from './sources.ts';

const hasTools = ((): boolean => {
  try {
    execFileSync('bash', ['-c', 'command -v curl && command -v grep']);
    return true;
  } catch {
    console.warn('Skipped: the commands of the README. They need bash, curl and grep.');
    return false;
  }
})();

const [readme] = filesMatching(/^README\.md$/);
const blocks = [...(readme?.text ?? '').matchAll(/```sh\n(.*?)```/gs)].map(([, code = '']) => code);

interface Served extends AsyncDisposable {
  readonly catalog: Catalog;
  /** Run the block of the README that contains a text; what it prints. */
  run(containing: string, cwd?: string, more?: Readonly<Record<string, string>>): Promise<string>;
}

async function serve(): Promise<Served> {
  const catalog = await openCatalog();
  const folder = await mkdtemp(join(tmpdir(), 'readme-'));
  const server = await serveApp(
    createApp({
      database: catalog.database,
      surroundings: catalog.surroundings,
      config: { ...readConfig({}), DATA_DIR: folder },
      onUnexpected: (error) => console.error(error),
    }),
  );
  return {
    catalog,
    async run(containing, cwd = folder, more = {}) {
      const block = blocks.find((code) => code.includes(containing)) ?? '';
      expect(block, containing).not.toBe('');
      const script = block
        .replaceAll('http://127.0.0.1:4000', server.base)
        .replace('KEY=hwk_...', '');
      const env = {
        ...{ ...process.env, KEY: catalog.keyOf('admin'), API: `${server.base}/api/v1` },
        ...more,
      };
      return (await promisify(execFile)('bash', ['-c', script], { env, cwd })).stdout;
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describe.skipIf(!hasTools)('the commands of the README', () => {
  test('ask for the lineage of a table of the sample, in GraphQL and over REST', async () => {
    await using served = await serve();
    const { catalog } = served;
    await loadDemo(catalog, () => {});
    const { data } = JSON.parse(await served.run('ask()'));
    const titles = data.lineage.nodes.map(
      ({ resource }: { resource: { titleFull: string } }) => resource.titleFull,
    );
    expect(titles[0]).toBe('analytics.core.fct_orders');
    expect(titles).toContain('analytics.marts.daily_revenue');
    expect(titles).toContain('Company.Sales overview');
    const { results } = JSON.parse(await served.run('/resource/catalog -d'));
    expect(results).toHaveLength(5);
  });

  test('are all run, but for the two that install and start', () => {
    const words = ['ask()', '/resource/catalog -d', 'upload_artifacts', 'failing_tests'];
    const others = blocks.filter((code) => !words.some((word) => code.includes(word)));
    expect(others).toEqual([
      'npm ci && npm run demo\n',
      // What it names is compared with the Dockerfile by test/deploy/files.test.ts.
      expect.stringMatching(/^docker build .* && docker run /),
    ]);
  });

  test("bring a project of one's own into an empty workspace", async () => {
    await using served = await serve();
    const folder = await mkdtemp(join(tmpdir(), 'project-'));
    try {
      await cp(join(root, 'prisma/demo/project'), join(folder, 'target'), { recursive: true });
      expect(await served.run('upload_artifacts', folder)).toContain('204 No Content');
      const { data } = await served.catalog.graphql('{ resources(kinds: [table]) { totalCount } }');
      expect(data.resources.totalCount).toBeGreaterThan(30);
      const { data: found } = await served.catalog.graphql('{ integrations { nodes { id } } }');
      const shown = await served.run('failing_tests', folder, {
        ID: found.integrations.nodes[0].id,
      });
      const [catalog = '', failing = ''] = shown.split(/(?<=\})(?=\{)/);
      expect(JSON.parse(catalog).count).toBeGreaterThan(100);
      expect(JSON.parse(failing).failing).toHaveLength(1);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

test('its badges say what the package says, and are files of this project', () => {
  const [manifest] = filesMatching(/^package\.json$/);
  const { engines, license } = JSON.parse(manifest?.text ?? '{}');
  const badges = [...(readme?.text ?? '').matchAll(/^\[!\[([^\]]+)\]\(([^)]+)\)\]\(([^)]+)\)$/gm)];
  const said = badges.map(([, , picture = '', link]) => {
    const svg = readFileSync(join(root, picture), 'utf8');
    const [, label = ''] = /aria-label="([^"]+)"/.exec(svg) ?? [];
    const texts = [...svg.matchAll(/<text[^>]*>([^<]+)<\/text>/g)].map(([, text]) => text);
    expect(texts.join(': ')).toBe(label);
    return [label.replace('&gt;', '>'), link];
  });
  expect(said).toEqual([
    ['CI: .ci/run', '.ci/run'],
    [`license: ${license}`, 'LICENSE'],
    [`node: ${engines.node}`, 'package.json'],
  ]);
});
