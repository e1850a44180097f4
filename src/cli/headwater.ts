// The command line, `headwater`: a client of the server, in one file that needs Node.js and an address.

import { Command, CommanderError } from 'commander';
import { edit } from './bulk-edit.ts';
import { comment } from './comment.ts';
import { listKeys, makeKey, revokeKey, rotateKey } from './keys.ts';
import { logIn } from './log-in.ts';
import { applyMonitors, planMonitors } from './monitor-plan.ts';
import { findMonitor, findResource } from './named-thing.ts';
import { print } from './print.ts';
import { ask, CommandEnd, exits, rest } from './server.ts';
import { follow, importFiles, showImpact } from './transfer.ts';

interface Json {
  readonly json?: boolean;
}

interface Named {
  readonly kind: string;
  readonly id: string;
  readonly titleFull: string;
}

const line = ({ kind, titleFull, id }: Named) => `${kind}\t${titleFull}\t${id}`;

async function api(what: string, path: string | undefined): Promise<void> {
  if (path === undefined) return print({ json: true }, await ask(what), '');
  if (what.toUpperCase() !== 'GET')
    throw new CommandEnd('usage', 'Give GET and a path, or an operation of GraphQL.');
  console.log(await rest(path));
}

async function search(words: readonly string[], flags: Json & { kind?: string[] }): Promise<void> {
  const found = await ask<{ search: { nodes: { resource: Named }[] } }>(
    `query ($query: String!, $kinds: [ResourceKind!]) {
      search(query: $query, kinds: $kinds, first: 20) { nodes { resource { id kind titleFull } } } }`,
    { query: words.join(' '), ...(flags.kind ? { kinds: flags.kind } : {}) },
  );
  const hits = found.search.nodes.map(({ resource }) => resource);
  print(flags, hits, hits.map(line).join('\n') || 'Nothing fits.');
}

async function show(name: string, flags: Json): Promise<void> {
  const { resource } = await ask<{
    resource: (Named & { description: string; owners: { name: string }[] }) | null;
  }>(
    `query ($id: ID!) { resource(id: $id) {
      id kind titleFull description verified pii stale url
      owners { name } ownerGroups { name } tags { name } } }`,
    { id: await findResource(name) },
  );
  if (!resource) throw new CommandEnd('not found', `There is no resource ${name}.`);
  const owners = resource.owners.map((one) => one.name).join(', ') || 'No owner';
  print(flags, resource, [line(resource), owners, resource.description].filter(Boolean).join('\n'));
}

async function showLineage(
  name: string,
  flags: Json & { up?: boolean; down?: boolean; columns?: boolean; depth: string },
): Promise<void> {
  if (!/^\d{1,3}$/.test(flags.depth)) throw new CommandEnd('usage', '--depth takes a number.');
  const direction = flags.up === flags.down ? 'BOTH' : flags.up ? 'UPSTREAM' : 'DOWNSTREAM';
  const { lineage } = await ask<{
    lineage: { nodes: { depth: number; resource: Named }[] } | null;
  }>(
    `query ($from: [ID!]!, $direction: LineageDirection!, $level: LineageLevel!, $depth: Int) {
      lineage(from: $from, direction: $direction, level: $level, depth: $depth) {
        nodes { depth direction resource { id kind titleFull } }
        edges { source { id } target { id } } truncated } }`,
    {
      ...{ from: [await findResource(name)], direction, depth: Number(flags.depth) },
      level: flags.columns ? 'COLUMN' : 'TABLE',
    },
  );
  const nodes = lineage?.nodes ?? [];
  print(
    flags,
    lineage,
    nodes.map(({ depth, resource }) => `${depth}\t${line(resource)}`).join('\n'),
  );
}

async function runMonitors(
  names: readonly string[],
  flags: Json & { wait?: boolean },
): Promise<void> {
  const ids = await Promise.all(names.map(findMonitor));
  const { runMonitors: job } = await ask<{ runMonitors: { id: string } }>(
    'mutation ($ids: [ID!]) { runMonitors(ids: $ids) { id state } }',
    { ids },
  );
  if (!flags.wait) return print(flags, job, `The monitors run as job ${job.id}.`);
  // A job of which a monitor could not be measured has failed: which one it was is said below.
  const failure = await follow(job.id, flags).catch((error: unknown) => error);
  const { monitors } = await ask<{ monitors: { nodes: { name: string; status: string }[] } }>(
    'query ($ids: [ID!]) { monitors(first: 1000, where: { id: { in: $ids } }) { nodes { name status } } }',
    { ids },
  );
  const bad = monitors.nodes.filter(({ status }) => status === 'incident' || status === 'error');
  if (bad.length > 0) {
    throw new CommandEnd(
      'check says no',
      bad.map(({ name, status }) => `${name}: ${status}`).join('\n'),
    );
  }
  if (failure) throw failure;
}

async function doctor(flags: Json): Promise<void> {
  const began = Date.now();
  const { viewer } = await ask<{
    viewer: { name: string; role: string; workspace: { name: string } };
  }>('{ viewer { name role allowedActions workspace { name } } }');
  const took = Date.now() - began;
  print(
    flags,
    { ...viewer, milliseconds: took },
    `The server answers in ${took} ms. The key is of ${viewer.name} (${viewer.role}) in ${viewer.workspace.name}.`,
  );
}

const program = new Command('headwater')
  .description(
    'A client of a Headwater server. HEADWATER_URL says where it is, HEADWATER_KEY holds an API key.',
  )
  .exitOverride();
const command = (usage: string, description: string) =>
  program.command(usage).description(description).option('--json', 'print JSON').exitOverride();

command(
  'login <url>',
  'Keep an address, and a key: by a page on a terminal, else from the standard input.',
)
  .option('--browser', 'by a page, on a terminal or not')
  .action(logIn);
command('api <what> [path]', 'Send an operation of GraphQL, or GET a path of REST.').action(api);
command('search <words...>', 'Search the catalog.')
  .option('--kind <kind...>', 'only of these kinds')
  .action(search);
command('show <name>', 'Show a resource.').action(show);
command('lineage <name>', 'Show what a resource is made of, and what is made of it.')
  .option('--up', 'only upstream')
  .option('--down', 'only downstream')
  .option('--columns', 'of columns')
  .option('--depth <steps>', 'how many steps', '3')
  .action(showLineage);
command('import <files...>', 'Import CSV, JSONL, or the target folder of a project.')
  .requiredOption('--into <integration>', 'name or id of the integration')
  .option('--dry-run', 'only say what would change; exits with 10 where something would')
  .option('--force', 'even where most of it would become stale')
  .option('--wait', 'until the import has ended')
  .action(importFiles);
command('impact [name]', 'Show what a change would reach.')
  .option('--manifest <file>', 'a manifest.json that is not imported yet')
  .option(
    '--base <ref>',
    'compare with this manifest instead of the catalog: a file, or what git has of it at REF',
  )
  .option('--into <integration>', 'the project of the manifest, where there are several')
  .option('--markdown', 'as Markdown; --manifest prints nothing else')
  .option('--fail-on <limit>', 'tables=NUMBER: exit with 10 where it reaches as many')
  .action(showImpact);

program
  .command('comment')
  .description('Post the standard input as the one comment of a pull or merge request.')
  .option('--github', 'in a workflow of GitHub, with GITHUB_TOKEN')
  .option('--gitlab', 'in a pipeline of GitLab, with GITLAB_TOKEN')
  .option('--marker <name>', 'which comment, where there are several', 'impact')
  .exitOverride()
  .action(comment);
command('edit', 'Change many resources alike.')
  .requiredOption('--where <filter...>', 'which: kind=table tag=core owner=none in=shop.public ...')
  .option('--add-tag <name...>', 'put tags on them')
  .option('--remove-tag <name...>', 'take tags from them')
  .option('--add-owner <email...>', 'make people owners')
  .option('--remove-owner <email...>', 'let people own them no longer')
  .option('--description <text>', 'describe them')
  .option('--verified <boolean>', 'whether they are verified')
  .option('--pii <boolean>', 'whether they hold personal information')
  .option('--dry-run', 'only say how many would change; exits with 10 where some would')
  .action(edit);

const monitors = program.command('monitors').description('Monitors.').exitOverride();
monitors
  .command('run <names...>')
  .description('Run monitors now.')
  .option('--json', 'print JSON')
  .option('--wait', 'until they have run; exits with 10 where one has an incident or an error')
  .exitOverride()
  .action(runMonitors);
monitors
  .command('export')
  .description('Print all monitors as YAML.')
  .exitOverride()
  .action(async () => {
    console.log((await ask<{ monitorsAsYaml: string }>('{ monitorsAsYaml }')).monitorsAsYaml);
  });

for (const [name, description, act] of [
  ['plan', 'Say what apply would do; exits with 10 where it would do anything.', planMonitors],
  ['apply', 'Make monitors as a file has them, as export writes it.', applyMonitors],
] as const) {
  monitors
    .command(`${name} <file>`)
    .description(description)
    .option('--json', 'print JSON')
    .option('--prune', 'delete what the file has no longer on the tables that it names')
    .exitOverride()
    .action(act);
}

const keys = program.command('keys').description('API keys.').exitOverride();
keys
  .command('list')
  .description('List keys.')
  .option('--json', 'print JSON')
  .exitOverride()
  .action(listKeys);
keys
  .command('create <name>')
  .description('Make a key and print it.')
  .option('--scope <scope...>', 'READ, WRITE, IMPORT, REPORT or ADMIN')
  .option('--into <id>', 'the only integration that it imports into')
  .exitOverride()
  .action(makeKey);
keys
  .command('rotate <id>')
  .description('Make a key in its place.')
  .exitOverride()
  .action(rotateKey);
keys.command('revoke <id>').description('Revoke a key for good.').exitOverride().action(revokeKey);

command('doctor', 'Check the address and the key.').action(doctor);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exits.done : exits.usage;
  } else {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = error instanceof CommandEnd ? error.code : exits.failed;
  }
}
