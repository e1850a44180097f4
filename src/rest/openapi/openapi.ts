// The OpenAPI 3.1 document, made of the facade and of what the routes say.

import {
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { maxPage, maxPageSize } from '../../lists/page.ts';
import type { Operation, Parameter } from '../operations/operation.ts';
import type { Route, RouteDocument } from '../route.ts';
import { entityTag, ifMatch, ifNoneMatch, notModified } from './condition-document.ts';
import { type Examples, readExamples } from './example.ts';
import { formAmong, type JsonSchema, schemaOfValue, withForm } from './json-schema.ts';
import { errorResponses, problemResponses, problemSchema } from './problem-document.ts';

/** An OpenAPI 3.1 document. */
export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly [more: string]: unknown;
  };
  readonly [more: string]: unknown;
}

/** What the document says of the API as a whole. */
export interface Info {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

/** Describe every operation and route, with schemas, errors and examples, below `base`. */
export function openapi(
  facade: GraphQLSchema,
  operations: readonly Operation[],
  routes: readonly Pick<Route<object>, 'method' | 'path' | 'aliases' | 'document'>[],
  base: string,
  info: Info,
): OpenApi {
  const components = new Map<string, JsonSchema>([['Problem', problemSchema]]);
  const examples = readExamples(operations);
  const paths: Record<string, Record<string, object>> = {};
  const add = (method: string, all: readonly string[], entry: OperationObject) => {
    all.forEach((path, at) => {
      const templated = base + path.replaceAll(/:(\w+)/g, '{$1}');
      const operationId = at === 0 ? entry.operationId : `${entry.operationId}Alias${at}`;
      paths[templated] = { ...paths[templated], [method.toLowerCase()]: { ...entry, operationId } };
    });
  };
  for (const operation of operations) {
    const entry = describe(facade, operation, components, examples);
    add(operation.method, [operation.path, ...operation.aliases], entry);
  }
  for (const { method, path, aliases = [], document } of routes) {
    add(method, [path, ...aliases], describeRoute(path, document));
  }
  const tags = new Set([
    ...operations.map(({ tag }) => tag),
    ...routes.map((one) => one.document.tag),
  ]);
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    security: [{ ApiKeyAuth: [] }],
    tags: [...tags].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        ApiKeyAuth: {
          type: 'http',
          scheme: 'bearer',
          description: 'Authorization: Bearer <API_KEY>',
        },
        WebhookSignature: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'The HMAC-SHA256 of the body, by the secret of the webhook, as hexadecimal digits',
        },
      },
      responses: problemResponses,
      schemas: Object.fromEntries(components),
    },
  };
}

interface OperationObject {
  readonly operationId: string;
  readonly [more: string]: unknown;
}

function describe(
  facade: GraphQLSchema,
  operation: Operation,
  components: Map<string, JsonSchema>,
  examples: Examples,
): OperationObject {
  const { name, kind, parameters, status, shape, successor } = operation;
  const root = kind === 'query' ? facade.getQueryType() : facade.getMutationType();
  const field = root?.getFields()[name];
  if (!field) throw new Error(`The facade has no ${name}.`);
  const body = field.args.find((argument) => argument.name === 'body');
  const outside = parameters.filter(({ place }) => place !== 'body');
  const json = (type: GraphQLInputType | GraphQLOutputType, own: object | null = null) => ({
    'application/json': {
      schema: schemaOfValue(type, components),
      example: own ? Object.assign({}, examples(type, name), own) : examples(type, name),
    },
  });
  const statuses = new Set([401, 403, ...operation.errors, 500, 503]);
  if (body || outside.some(({ place }) => place === 'query')) statuses.add(400);
  if (body) statuses.add(413);
  if (outside.some(({ place }) => place === 'path')) statuses.add(404);
  if (operation.isConditional) statuses.add(412);
  const isShown = operation.isVersioned && operation.method === 'GET';
  const all = [
    ...outside.map((one) => parameterObject(one, components, examples)),
    ...(operation.isConditional ? [ifMatch] : []),
    ...(isShown ? [ifNoneMatch] : []),
  ];
  const isBodyNeeded =
    (body && isNonNullType(body.type)) ||
    parameters.some(({ place, needed }) => place === 'body' && needed);
  const isWritten = operation.method === 'PATCH' || status === 201;
  const hasTag = operation.isVersioned && (isShown || isWritten);
  const notes = [
    operation.description ?? operation.meaning,
    successor && `Deprecated: use \`${successor.path}\` instead.`,
  ].filter((note) => note !== undefined);
  return {
    operationId: name,
    tags: [operation.tag],
    summary: operation.summary,
    ...(notes.length > 0 ? { description: notes.join('\n\n') } : {}),
    ...(successor ? { deprecated: true } : {}),
    ...(all.length > 0 ? { parameters: all } : {}),
    ...(body
      ? {
          requestBody: { required: isBodyNeeded, content: json(body.type, ownExamples(operation)) },
        }
      : {}),
    responses: {
      [status]:
        shape === 'NONE' || status === 204
          ? { description: 'Done; there is no content.' }
          : {
              description: 'Success.',
              ...(hasTag ? { headers: { ETag: entityTag } } : {}),
              content: json(field.type),
            },
      ...(isShown ? { 304: notModified } : {}),
      ...errorResponses(statuses),
    },
  };
}

/** What an operation gives as examples of its body: another may mean something else by the same name. */
function ownExamples({ parameters }: Operation): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    parameters
      .filter(({ place, example }) => place === 'body' && example !== undefined)
      .map(({ name, example }) => [name, example]),
  );
}

function parameterObject(
  parameter: Parameter,
  components: Map<string, JsonSchema>,
  examples: Examples,
): object {
  const { name, place, type, defaultValue, description, words, form } = parameter;
  const inner = getNullableType(type);
  const item = isListType(inner) ? getNullableType(inner.ofType) : undefined;
  const notes = [
    description,
    item && !isInputObjectType(item) && 'Repeated, or separated by commas.',
  ].filter((note) => typeof note === 'string');
  const told = formAmong(type, words, form);
  const schema = withForm({ ...schemaOfValue(type, components), ...limitsOf(name) }, told);
  const whole = defaultValue === undefined ? schema : { ...schema, default: defaultValue };
  const example = parameter.example ?? (place === 'path' ? examples(type, name) : undefined);
  return {
    name,
    in: place,
    required: place === 'path' || (isNonNullType(type) && defaultValue === undefined),
    ...(notes.length > 0 ? { description: notes.join(' ') } : {}),
    ...inText(isInputObjectType(item ?? inner), {
      // One term of an order is sent as it is, several as a list.
      schema: isInputObjectType(item)
        ? { anyOf: [schemaOfValue(item, components), schema] }
        : whole,
      ...(example === undefined ? {} : { example }),
    }),
  };
}

/** The limits of numbers that mean the same everywhere. */
function limitsOf(name: string): object {
  if (name === 'page') return { minimum: 1, maximum: maxPage };
  return name === 'page_size' ? { minimum: 1, maximum: maxPageSize } : {};
}

interface Exampled {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** A parameter; JSON is sent as text, which generators of clients know better than content of its own. */
function inText(isJson: boolean, { schema, example }: Exampled): Exampled {
  if (!isJson) return { schema, ...(example === undefined ? {} : { example }) };
  return {
    schema: { type: 'string', contentMediaType: 'application/json', contentSchema: schema },
    ...(example === undefined ? {} : { example: JSON.stringify(example) }),
  };
}

function describeRoute(path: string, document: RouteDocument): OperationObject {
  const { operationId, tag, summary, description, parameters = [], requestBody } = document;
  const { security } = document;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  }));
  const statuses = new Set([400, 401, 403, ...(document.errors ?? []), 500, 503]);
  if (inPath.length > 0) statuses.add(404);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    ...(security ? { security } : {}),
    parameters: [...inPath, ...parameters],
    ...(requestBody ? { requestBody } : {}),
    responses: { ...document.responses, ...errorResponses(statuses) },
  };
}
