// The files of `deploy/ha`: what each asks for is what the compose file gives, and its settings are settings.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { settingNames } from '../../src/config.ts';
import { root } from '../house/sources.ts';

const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8');
const service = z.object({
  environment: z.record(z.string(), z.string()).optional(),
  command: z.array(z.string()).optional(),
  depends_on: z.array(z.string()).optional(),
});
const compose = z
  .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) })
  .parse(parse(read('ha/compose.yaml'), { merge: true }));

test('each file that is filled in gets all that it asks for', () => {
  const started = Object.entries(compose.services).filter(([, { command }]) =>
    command?.[0]?.match(/^[\w.]+\.(yml|cfg|ini)$/),
  );
  expect(started.map(([name]) => name).sort()).toEqual([
    ...['haproxy', 'node-1', 'node-2', 'node-3', 'pgbouncer'],
  ]);
  for (const [name, { command = [], environment = {} }] of started) {
    const file = command[0] ?? '';
    const asked = [...read(`ha/${file}`).matchAll(/\$\{(\w+)\}/g)].map(([, one = '']) => one);
    expect(asked.length, name).toBeGreaterThan(3);
    expect(Object.keys(environment), name).toEqual(expect.arrayContaining(asked));
    expect(read('ha/Dockerfile')).toContain(file);
  }
});

test('two serve and two work, by the pooler and past it to the leader', () => {
  const own = Object.entries(compose.services).filter(([name]) => /^(api|worker)-/.test(name));
  expect(own.map(([name]) => name)).toEqual(['api-1', 'api-2', 'worker-1', 'worker-2']);
  for (const [name, { environment = {} }] of own) {
    expect(settingNames).toEqual(expect.arrayContaining(Object.keys(environment)));
    expect(environment.ROLE).toBe(name.replace(/-\d$/, ''));
    expect(environment.DATABASE_URL).toContain('@pgbouncer:6432/');
    expect(environment.DATABASE_DIRECT_URL).toContain('@haproxy:5432/');
  }
});

test('the variables that it needs are in the example', () => {
  const needed = [...read('ha/compose.yaml').matchAll(/\$\{(\w+):\?\}/g)].map(([, one]) => one);
  const given = [...read('ha/example.env').matchAll(/^(\w+)=/gm)].map(([, one]) => one);
  expect(given).toEqual(expect.arrayContaining(needed));
});
