// One call of a tool: its arguments, its operation, and its answer as agents read it.

import type { CallToolResult } from '@modelcontextprotocol/server';
import type { DocumentNode, ExecutionResult } from 'graphql';
import { z } from 'zod';
import { noteError } from '../../tracing/request.ts';
import { argumentNames, tidied } from './lenient-input.ts';
import type { ToolOperation } from './operations.ts';
import type { Tool } from './tool.ts';

/** Runs an operation for the one who called, within their permissions and limits. */
export type RunOperation = (
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
) => Promise<ExecutionResult>;

/** Characters of the text of an answer. */
const maxAnswer = 40_000;
/** Characters of one text in an answer, such as somebody's documentation. */
const maxString = 10_000;

const anyObject = z.record(z.string(), z.unknown());

/** Call a tool. What it refuses is told as an answer with `isError`, which agents can read and mend. */
export async function callTool(
  tool: Tool,
  { document }: ToolOperation,
  run: RunOperation,
  given: unknown,
): Promise<CallToolResult> {
  const asked = tool.input.safeParse(tidied(tool.input, given ?? {}));
  if (!asked.success) {
    noteError('mcp', 'BAD_REQUEST');
    const isUnknown = asked.error.issues.some(({ code }) => code === 'unrecognized_keys');
    const hint = isUnknown ? [`Its arguments are ${argumentNames(tool.input).join(', ')}.`] : [];
    return refused([...asked.error.issues.map(sentenceOf), ...hint]);
  }
  const variables = tool.variables?.(asked.data) ?? asked.data;
  const { data, errors } = await run(document, withoutAbsent(variables));
  if (errors?.length || !data) return refused(errors?.map(({ message }) => message) ?? []);
  if (tool.missing && Object.values(data).includes(null)) {
    noteError('mcp', 'NOT_FOUND');
    return refused([tool.missing]);
  }
  const text = JSON.stringify(data, (_, value) => shortened(value));
  return {
    content: [{ type: 'text', text: cut(text, maxAnswer, ' (cut: ask for less at once)') }],
    structuredContent: anyObject.parse(JSON.parse(text)),
  };
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

function shortened(value: unknown): unknown {
  return typeof value === 'string' ? cut(value, maxString, ' (cut: there is more)') : value;
}

function cut(text: string, length: number, note: string): string {
  return text.length > length ? text.slice(0, length) + note : text;
}
