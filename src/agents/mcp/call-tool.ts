// One call of a tool: its arguments, its operation, and its answer as agents read it.

import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { CatalogError } from '../../errors.ts';
import { clientErrorOf } from '../../graphql/masking.ts';
import { catalogErrorIn } from '../../rest/reply.ts';
import { noteError } from '../../tracing/request.ts';
import { fitted } from './answer-budget.ts';
import { maxTokens } from './input.ts';
import { argumentNames, tidied } from './lenient-input.ts';
import { withIds } from './name-arguments.ts';
import type { Operations, RunOperation } from './operations.ts';
import type { Tool } from './tool.ts';

const budget = z.object({ maxTokens });
/** An answer as JSON has it: moments are text. */
const asJson = z.record(z.string(), z.unknown());

/** A tool by its name, with the operations that it and its names are run by. */
export interface Callable {
  readonly name: string;
  readonly tool: Tool;
  readonly operations: Operations;
}

/** Call a tool. What it refuses is told as an answer with `isError`, which agents can read and mend. */
export async function callTool(
  { name, tool, operations }: Callable,
  run: RunOperation,
  given: unknown,
): Promise<CallToolResult> {
  const input = withBudget(tool.input);
  const asked = input.safeParse(tidied(input, given ?? {}));
  if (!asked.success) {
    noteError('mcp', 'BAD_REQUEST');
    const isUnknown = asked.error.issues.some(({ code }) => code === 'unrecognized_keys');
    const hint = isUnknown ? [`Its arguments are ${argumentNames(input).join(', ')}.`] : [];
    return refused([...asked.error.issues.map(sentenceOf), ...hint]);
  }
  try {
    return await answered({ name, tool, operations }, run, asked.data);
  } catch (error) {
    const known = refusalIn(error);
    if (!known) throw error;
    noteError('mcp', known.code);
    return refused([known.message]);
  }
}

/** What a tool is given: its own arguments, and how much may come back. */
export function withBudget(input: Tool['input']): Tool['input'] {
  return input instanceof z.ZodObject ? input.extend({ maxTokens }) : input;
}

async function answered(
  { name, tool, operations }: Callable,
  run: RunOperation,
  asked: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  const { maxTokens } = budget.parse(asked);
  const { maxTokens: _own, ...own } = asked;
  const { given, named, problems } = await withIds(tool, own, run, operations);
  if (problems.length > 0) {
    noteError('mcp', 'NOT_FOUND');
    return refused(problems);
  }
  const variables = tool.variables?.(given, named) ?? given;
  const { data, errors } = await run(operations(name).document, withoutAbsent(variables));
  if (errors?.length || !data) return refused(errors?.map(({ message }) => message) ?? []);
  if (tool.missing && Object.values(data).includes(null)) {
    noteError('mcp', 'NOT_FOUND');
    return refused([tool.missing]);
  }
  const { data: answer, leftOut } = fitted(
    asJson.parse(JSON.parse(JSON.stringify(data))),
    maxTokens,
  );
  const structuredContent = leftOut.length > 0 ? { leftOut, ...answer } : answer;
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
  };
}

/** What a client is told of an error, such as a limit that is reached; undefined for a fault of the server. */
function refusalIn(error: unknown): CatalogError | undefined {
  const known = catalogErrorIn(error) ?? clientErrorOf(error) ?? undefined;
  return known?.code === 'INTERNAL_SERVER_ERROR' ? undefined : known;
}

/** Variables that are there: one that is undefined would stand for null. */
function withoutAbsent(variables: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined));
}

function refused(messages: readonly string[]): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: messages.join(' ') }] };
}

function sentenceOf({ path, message }: { path: readonly PropertyKey[]; message: string }): string {
  return path.length === 0 ? `${message}.` : `${path.join('.')}: ${message}.`;
}
