// The table of tools that agents call over MCP.

import { readTools } from './read-tools.ts';
import type { Tool } from './tool.ts';
import { writeTools } from './write-tools.ts';

/** The tools by name, in the order in which they are listed; those that write only where they may. */
export function toolsWith(writes: boolean): ReadonlyMap<string, Tool> {
  return new Map([...readTools, ...(writes ? writeTools : [])]);
}
