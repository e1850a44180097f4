// The command that edits many resources alike.

import { findResource } from './named-thing.ts';
import { print } from './print.ts';
import { ask, CommandEnd } from './server.ts';

export interface EditFlags {
  readonly where: readonly string[];
  readonly addTag?: readonly string[];
  readonly removeTag?: readonly string[];
  readonly addOwner?: readonly string[];
  readonly removeOwner?: readonly string[];
  readonly description?: string;
  readonly verified?: string;
  readonly pii?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface Result {
  readonly matched: number;
  readonly updated: number;
  readonly failed: readonly { readonly id: string; readonly message: string }[];
}

/**
 * `edit --where KEY=VALUE...`: the same change of all resources that the filters hold for. Throws `CommandEnd` 10 for a dry
 * run that would change something, and 1 where some were refused.
 */
export async function edit(flags: EditFlags): Promise<void> {
  const conditions = await Promise.all(flags.where.map(conditionOf));
  const input = await inputOf(flags);
  if (Object.keys(input).length === 0) {
    throw new CommandEnd('usage', 'Say what to change, such as --add-tag NAME.');
  }
  const { updateResources } = await ask<{ updateResources: Result | null }>(
    `mutation ($where: ResourceWhere!, $input: UpdateResourceInput!, $dryRun: Boolean!) {
      updateResources(where: $where, input: $input, dryRun: $dryRun) {
        matched updated failed { id message } } }`,
    { where: { and: conditions }, input, dryRun: flags.dryRun ?? false },
  );
  const { matched = 0, updated = 0, failed = [] } = updateResources ?? {};
  const would = flags.dryRun ? 'would change' : 'changed';
  const refused = failed.map(({ id, message }) => `${id}: ${message}`);
  print(flags, updateResources, [`${updated} of ${matched} ${would}`, ...refused].join('\n'));
  if (failed.length > 0) throw new CommandEnd('failed', `${failed.length} were refused.`);
  if (flags.dryRun && updated > 0)
    throw new CommandEnd('check says no', 'The edit would change that.');
}

const flag = (key: string, value: string): boolean => {
  if (value === 'true' || value === 'false') return value === 'true';
  throw new CommandEnd('usage', `${key} takes true or false, not ${value}.`);
};
const named = (value: string) =>
  value === 'none' ? { isSet: false } : { some: { name: { eq: value } } };

/** What each key of `--where` means; `none` stands for having none. */
const keys: Readonly<Record<string, (value: string) => object | Promise<object>>> = {
  kind: (value) => ({ kind: { in: value.split(',') } }),
  tag: (value) => ({ tags: named(value) }),
  team: (value) => ({ teams: named(value) }),
  owner: (value) => ({
    owners: value === 'none' ? { isSet: false } : { some: { email: { eq: value } } },
  }),
  title: (value) => ({ title: { contains: value } }),
  name: (value) => ({ titleFull: { eq: value } }),
  in: async (value) => ({ within: await findResource(value) }),
  pii: (value) => ({ pii: flag('pii', value) }),
  verified: (value) => ({ verified: flag('verified', value) }),
  stale: (value) => ({ stale: flag('stale', value) }),
};

async function conditionOf(text: string): Promise<object> {
  const [, key = '', value = ''] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  const make = Object.hasOwn(keys, key) ? keys[key] : undefined;
  if (make) return make(value);
  throw new CommandEnd('usage', `--where takes ${Object.keys(keys).join('=, ')}=, not ${text}.`);
}

async function inputOf(flags: EditFlags): Promise<object> {
  const { description, verified, pii } = flags;
  const lists = {
    addTagIds: await idsOf(flags.addTag, 'tag'),
    removeTagIds: await idsOf(flags.removeTag, 'tag'),
    addOwnerIds: await idsOf(flags.addOwner, 'user'),
    removeOwnerIds: await idsOf(flags.removeOwner, 'user'),
  };
  return {
    ...Object.fromEntries(Object.entries(lists).filter(([, ids]) => ids.length > 0)),
    ...(description === undefined ? {} : { description }),
    ...(verified === undefined ? {} : { verified: flag('--verified', verified) }),
    ...(pii === undefined ? {} : { pii: flag('--pii', pii) }),
  };
}

const lists = {
  tag: '{ found: tags(first: 1000) { nodes { id name } } }',
  user: '{ found: users(first: 1000) { nodes { id name: email } } }',
} as const;

async function idsOf(names: readonly string[] | undefined, of: keyof typeof lists) {
  if (!names?.length) return [];
  const { found } = await ask<{ found: { nodes: { id: string; name: string }[] } }>(lists[of]);
  return names.map((name) => {
    const one = found.nodes.find((known) => known.name === name || known.id === name);
    if (one) return one.id;
    throw new CommandEnd('not found', `There is no ${of} ${name}.`);
  });
}
