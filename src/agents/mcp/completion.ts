// Completion of what people type for prompts and addresses of pages.

import type { Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Operations, RunOperation } from './operations.ts';
import { prompts } from './prompts.ts';
import { pageTemplate } from './resource-page.ts';

/** Values that are offered, and characters of what is typed that are looked at. */
const maxValues = 20;
const maxTyped = 200;

const found = z.object({
  search: z.object({
    nodes: z.array(z.object({ resource: z.object({ id: z.string(), titleFull: z.string() }) })),
  }),
});
const incidents = z.object({
  incidents: z.object({ nodes: z.array(z.object({ name: z.string() })) }),
});

/** Offer names of resources and incidents that the one who asks may see; nothing for what is no argument of ours. */
export function serveCompletion(server: Server, run: RunOperation, operations: Operations): void {
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => {
    const typed = argument.value.slice(0, maxTyped);
    const values = await valuesOf(ref, argument.name, typed);
    const distinct = [...new Set(values)];
    return {
      completion: {
        values: distinct.slice(0, maxValues),
        hasMore: distinct.length > maxValues,
      },
    };
  });

  async function valuesOf(
    ref: { type: string; name?: string; uri?: string },
    argument: string,
    typed: string,
  ): Promise<string[]> {
    if (ref.type === 'ref/resource') {
      if (ref.uri !== pageTemplate || argument !== 'id') return [];
      return (await near(typed)).map(({ id }) => id);
    }
    const prompt = prompts.find(({ name }) => name === ref.name);
    if (prompt?.argument.name !== argument) return [];
    if (argument === 'name') return (await near(typed)).map(({ titleFull }) => titleFull);
    const { data } = await run(operations('find_incidents').document, {});
    const names = incidents.safeParse(data).data?.incidents.nodes.map(({ name }) => name) ?? [];
    return names.filter((name) => name.toLowerCase().includes(typed.toLowerCase()));
  }

  async function near(typed: string): Promise<{ id: string; titleFull: string }[]> {
    if (typed.trim() === '') return [];
    const { data } = await run(operations('find_near').document, { query: typed });
    return found.safeParse(data).data?.search.nodes.map(({ resource }) => resource) ?? [];
  }
}
