// `npm run release -- VERSION`, in a repository of its own whose checks do what the test says.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../house/sources.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'A maintainer');
  git('config', 'user.email', 'maintainer@example.com');
  start({ check: 'exit 0', changes: '- A first line.\n' });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
}

/** Commit a project at version 0.1.0 with such a check and such changes. */
function start({ check, changes }: { check: string; changes: string }): void {
  const manifest = {
    ...{ name: 'some-project', version: '0.1.0' },
    scripts: { check, 'schema:diff': 'exit 0' },
  };
  write('package.json', JSON.stringify(manifest));
  write('CHANGELOG.md', `# Changelog\n\n## Unreleased\n\n${changes}`);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'A change');
}

function write(file: string, text: string): void {
  writeFileSync(join(folder, file), text);
}

function read(file: string): string {
  return readFileSync(join(folder, file), 'utf8');
}

function release(...args: string[]) {
  const script = join(root, 'scripts/release.mjs');
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], options);
  return { status, stdout, stderr: stderr.trim() };
}

/** A release that is refused changes nothing. */
function expectRefused(version: string, why: string): void {
  const before = [git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--list')];
  const { status, stderr } = release(version);
  expect([status, stderr]).toEqual([1, expect.stringContaining(why)]);
  const after = [git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--list')];
  expect(after).toEqual(before);
}

test('a release sets the version, dates the changelog, commits and tags', () => {
  expect(release('0.2.0')).toMatchObject({ status: 0, stderr: '' });
  expect(JSON.parse(read('package.json')).version).toBe('0.2.0');
  const [today] = new Date().toISOString().split('T');
  expect(read('CHANGELOG.md')).toBe(
    `# Changelog\n\n## Unreleased\n\n## 0.2.0 - ${today}\n\n- A first line.\n`,
  );
  expect(git('log', '-1', '--format=%s')).toBe('Release 0.2.0');
  expect(git('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
  expect(git('status', '--porcelain')).toBe('');
});

test('the version that package.json names can be the first release', () => {
  expect(release('0.1.0').status).toBe(0);
  expectRefused('0.1.0', 'There is a tag v0.1.0 already.');
});

test('a prerelease comes before its version, and 0.10 after 0.9', () => {
  expect(release('0.9.0').status).toBe(0);
  start({ check: 'exit 0', changes: '- A second line.\n' });
  write('package.json', read('package.json').replace('0.1.0', '0.9.0'));
  git('commit', '--all', '--quiet', '--message', 'Another change');
  expectRefused('0.9.0-rc.1', '0.9.0-rc.1 is older than 0.9.0.');
  expect(release('0.10.0').status).toBe(0);
});

test('nothing is released with changes that are not committed', () => {
  write('notes.txt', 'Not yet.');
  expectRefused('0.2.0', 'Commit or remove what has changed first.');
});

test('nothing is released while a check fails, or leaves a file behind', () => {
  start({ check: 'exit 3', changes: '- A line.\n' });
  expectRefused('0.2.0', 'npm run check failed: nothing was changed.');
  start({ check: 'touch left-behind', changes: '- A line.\n' });
  expect(release('0.2.0').stderr).toContain('The checks changed files: commit them first.');
  expect(git('tag', '--list')).toBe('');
});

test('nothing is released without a version, an older one, or without a word in the changelog', () => {
  expectRefused('', 'Name the version');
  expectRefused('next', 'Name the version');
  expectRefused('0.0.9', '0.0.9 is older than 0.1.0.');
  start({ check: 'exit 0', changes: '' });
  expectRefused('0.2.0', 'CHANGELOG.md says nothing below "Unreleased".');
});
