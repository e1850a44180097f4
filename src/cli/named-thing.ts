// Finds what a name on the command line means.

import { ask, CommandEnd } from './server.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface Found {
  readonly id: string;
  readonly title: string;
}

/** The id of a resource by its id, full name or title. Throws `CommandEnd` where there is none, or several. */
export async function findResource(name: string): Promise<string> {
  if (uuid.test(name)) return name;
  for (const field of ['titleFull', 'title']) {
    const { resources } = await ask<{ resources: { nodes: Found[] } }>(
      `query ($name: String!) {
        resources(first: 6, where: { ${field}: { eq: $name } }) { nodes { id title: titleFull } } }`,
      { name },
    );
    if (resources.nodes.length > 0) return onlyOne(name, resources.nodes);
  }
  throw new CommandEnd(
    'not found',
    `Nothing has the name ${name}. Look for it: headwater search ${name}`,
  );
}

/** The id of an integration by its id or name. Throws `CommandEnd` where there is none, or several. */
export async function findIntegration(name: string): Promise<string> {
  const { integrations } = await ask<{ integrations: { nodes: Found[] } }>(
    '{ integrations(first: 1000) { nodes { id title: name } } }',
  );
  const fitting = integrations.nodes.filter(({ id, title }) => id === name || title === name);
  if (fitting.length > 0) return onlyOne(name, fitting);
  const all = integrations.nodes.map(({ title }) => title).slice(0, 20);
  throw new CommandEnd(
    'not found',
    `No integration is called ${name}. There are: ${all.join(', ') || 'none'}.`,
  );
}

/** The id of a monitor by its id or name. Throws `CommandEnd` where there is none, or several. */
export async function findMonitor(name: string): Promise<string> {
  if (uuid.test(name)) return name;
  const { monitors } = await ask<{ monitors: { nodes: Found[] } }>(
    `query ($name: String!) {
      monitors(first: 6, where: { name: { eq: $name } }) { nodes { id title: name } } }`,
    { name },
  );
  if (monitors.nodes.length > 0) return onlyOne(name, monitors.nodes);
  throw new CommandEnd('not found', `No monitor is called ${name}.`);
}

function onlyOne(name: string, found: readonly Found[]): string {
  const [one] = found;
  if (one && found.length === 1) return one.id;
  const ids = found.slice(0, 5).map(({ id, title }) => `${title} (${id})`);
  throw new CommandEnd('not found', `Several are called ${name}; give an id: ${ids.join(', ')}`);
}
