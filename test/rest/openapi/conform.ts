// Checks an answer against the OpenAPI document.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApi } from '../../../src/rest/openapi/openapi.ts';

/** One operation of a document. */
export interface Documented {
  readonly method: string;
  /** With `{name}` in the place of parameters. */
  readonly path: string;
  readonly operation: OperationObject;
}

/** The parts of an OpenAPI operation that these tests read. */
export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { $ref?: string; content?: Content }>>;
}

interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema?: object;
}

type Content = Readonly<Record<string, { readonly schema?: object; readonly example?: unknown }>>;

/** All operations of a document. */
export function operationsOf(document: OpenApi): Documented[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      // The validator of the registry has checked the document as a whole; this reads it.
      operation: operation as OperationObject,
    })),
  );
}

/**
 * Make a check of answers against a document: it gives what is wrong, nothing where all is well.
 * An answer must have a documented status, its content type, and a body that its schema accepts.
 */
export function conformance(document: OpenApi) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('int32', true).addFormat('int64', true);
  ajv.addSchema({ $id: 'document', ...document });
  const resolve = (reference: string) => `document${reference}`;
  const within = (schema: object): object =>
    JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#'));
  const responses: unknown = document.components.responses;

  const compiled = new Map<object, ValidateFunction>();
  const validate = (schema: object, value: unknown): string[] => {
    const check = compiled.get(schema) ?? ajv.compile(within(schema));
    compiled.set(schema, check);
    return check(value)
      ? []
      : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };

  const check = ({ operation }: Documented, status: number, type: string | null, text: string) => {
    const found = operation.responses[status] ?? operation.responses.default;
    if (!found) return [`${status} is not documented`];
    const name = found.$ref?.split('/').at(-1);
    const { content } = name ? responseIn(responses, name) : found;
    if (!content) return text === '' ? [] : [`${status} has a body that is not documented`];
    const media = type?.split(';')[0] ?? '';
    const documented = content[media];
    if (!documented?.schema) return [`${status} has the content type ${type}`];
    const { schema } = documented;
    if (media === 'text/csv' || media.startsWith('image/')) return validate(schema, text);
    if (media !== 'application/x-ndjson') return validate(schema, JSON.parse(text));
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.flatMap((line) => validate(schema, JSON.parse(line)));
  };
  return { check, validate, resolve };
}

function responseIn(responses: unknown, name: string): { content?: Content } {
  // Named responses have the form of inline ones.
  return (responses as Record<string, { content?: Content }>)[name] ?? {};
}
