// The operations behind the tools of agents: read and checked once, each with what it answers.

import { readFileSync } from 'node:fs';
import {
  type DocumentNode,
  type ExecutionResult,
  Kind,
  type OperationDefinitionNode,
  parse,
  separateOperations,
  validate,
} from 'graphql';
import { schema } from '../../graphql/schema.ts';
import { answerSchema, type ObjectSchema } from './answer-schema.ts';

/** Runs an operation for the one who called, within their permissions and limits. */
export type RunOperation = (
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
) => Promise<ExecutionResult>;

/** Finds an operation by its name. */
export type Operations = (name: string) => ToolOperation;

/** An operation that a tool runs. */
export interface ToolOperation {
  /** Only this operation and its fragments. */
  readonly document: DocumentNode;
  /** The JSON Schema of its `data`. */
  readonly answer: ObjectSchema;
}

/**
 * The operations of tools.graphql by name. Throws an Error where one does not fit the schema, so that
 * the server says so when it is built and not when an agent calls.
 */
export function readToolOperations(): ReadonlyMap<string, ToolOperation> {
  const document = parse(ownSource());
  const alone = separateOperations(document);
  const operations = new Map<string, ToolOperation>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const name = nameOf(definition);
    const own = alone[name];
    if (!own) throw new Error(`There is no operation ${name}.`);
    const [wrong] = validate(schema, own);
    if (wrong) throw new Error(`The tool ${name}: ${wrong.message}`);
    operations.set(name, { document: own, answer: answerSchema(schema, own, definition) });
  }
  return operations;
}

function nameOf({ name }: OperationDefinitionNode): string {
  if (!name) throw new Error('An operation of a tool needs a name.');
  return name.value;
}

function ownSource(): string {
  return readFileSync(new URL('tools.graphql', import.meta.url), 'utf8');
}
