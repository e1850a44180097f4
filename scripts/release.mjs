// The release of a version: `npm run release -- VERSION` checks, sets the version, dates the changelog, commits and tags.
//
// It works on the repository that it is started in, and pushes nothing.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { exit } from 'node:process';

const [version = ''] = process.argv.slice(2);
const run = (command, ...args) => execFileSync(command, args, { stdio: 'inherit' });
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();

if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
  refuse('Name the version: npm run release -- 1.2.3');
}
const { version: last } = JSON.parse(readFileSync('package.json', 'utf8'));
if (comparable(version) < comparable(last)) refuse(`${version} is older than ${last}.`);
if (git('tag', '--list', `v${version}`) !== '') refuse(`There is a tag v${version} already.`);
if (git('status', '--porcelain') !== '') refuse('Commit or remove what has changed first.');

const heading = '## Unreleased\n';
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const [, unreleased = ''] = changelog.split(heading);
if (unreleased.split(/^## /m)[0]?.trim() === '') {
  refuse('CHANGELOG.md says nothing below "Unreleased".');
}

for (const script of ['check', 'schema:diff']) {
  try {
    run('npm', 'run', script);
  } catch {
    refuse(`npm run ${script} failed: nothing was changed.`);
  }
}
if (git('status', '--porcelain') !== '') refuse('The checks changed files: commit them first.');

run('npm', 'version', '--no-git-tag-version', '--allow-same-version', version);
const today = new Date().toISOString().slice(0, 10);
writeFileSync('CHANGELOG.md', changelog.replace(heading, `${heading}\n## ${version} - ${today}\n`));
run('git', 'commit', '--all', '--quiet', '--message', `Release ${version}`);
run('git', 'tag', '--annotate', `v${version}`, '--message', `Headwater ${version}`);
console.log(`Tagged v${version}. Publish it with: git push --follow-tags`);

function refuse(why) {
  console.error(why);
  exit(1);
}

/** The numbers of a version as a text that sorts as they do; a version comes after its own prereleases. */
function comparable(text) {
  const [numbers = '', ...prerelease] = text.split('-');
  const padded = numbers.split('.').map((number) => number.padStart(9, '0'));
  return [...padded, prerelease.join('-') || '~'].join('.');
}
