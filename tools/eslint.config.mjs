// The rules that schema.graphql keeps: docs/decisions/the-schema-is-linted.md says why these, and not others.

import graphql from '@graphql-eslint/eslint-plugin';

/** Everything that the plugin knows of schemas; a new version's rules come with it. */
const all = {
  ...graphql.configs['flat/schema-all'].rules,
  ...graphql.configs['flat/schema-relay'].rules,
};

const name = (rule) => `@graphql-eslint/${rule}`;

/** Rules with which we agree in part. */
const adjusted = {
  'naming-convention': {
    types: 'PascalCase',
    FieldDefinition: 'camelCase',
    // Stands within a value that clients of REST send whole.
    InputValueDefinition: { style: 'camelCase', ignorePattern: '^tie_breaker$' },
    Argument: 'camelCase',
    DirectiveDefinition: 'camelCase',
    'FieldDefinition[parent.name.value=Query]': { forbiddenPrefixes: ['get', 'query', 'list'] },
    'FieldDefinition[parent.name.value=Mutation]': { forbiddenSuffixes: ['Mutation'] },
    'FieldDefinition[parent.name.value=Subscription]': { forbiddenSuffixes: ['Subscription'] },
    'EnumTypeDefinition,EnumTypeExtension': { forbiddenSuffixes: ['Enum'] },
    'InterfaceTypeDefinition,InterfaceTypeExtension': { forbiddenSuffixes: ['Interface'] },
    'ObjectTypeDefinition,ObjectTypeExtension': { forbiddenSuffixes: ['Type'] },
  },
  'require-description': {
    types: true,
    DirectiveDefinition: true,
    EnumValueDefinition: true,
    FieldDefinition: true,
    InputValueDefinition: true,
    rootField: true,
  },
  'relay-arguments': { includeBoth: false },
  'relay-edge-types': {
    withEdgeSuffix: true,
    shouldImplementNode: false,
    listTypeCanWrapOnlyEdgeType: false,
  },
};

/** Rules that are off, each with its reason on the page. */
const off = [
  ...['alphabetize', 'input-name', 'no-root-type', 'no-scalar-result-type-on-mutation'],
  ...['no-typename-prefix', 'require-deprecation-date', 'strict-id-in-types'],
  ...['require-field-of-type-query-in-mutation-result', 'require-nullable-result-in-root'],
];

export default [
  {
    files: ['**/*.graphql'],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: 'schema.graphql' } },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...all,
      ...Object.fromEntries(
        Object.entries(adjusted).map(([rule, options]) => [name(rule), ['error', options]]),
      ),
      ...Object.fromEntries(off.map((rule) => [name(rule), 'off'])),
    },
  },
];
