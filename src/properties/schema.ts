// Custom properties in GraphQL: definitions, and values on resources.

import type { Context } from '../context.ts';
import { loaderOf } from '../database/loader.ts';
import { builder, type InputFields } from '../graphql/builder.ts';
import {
  createArgs,
  deleteArgs,
  idArgs,
  updateArgs,
  versionArgs,
} from '../graphql/mutation-args.ts';
import { NodeRef } from '../graphql/node-ref.ts';
import { connectionOf, pageArgs } from '../graphql/page.ts';
import { closedSet } from '../graphql/views/closed-set.ts';
import { checkedForRest, restOnly } from '../graphql/views/mark.ts';
import { kindNames, kinds } from '../resources/kind.ts';
import { loadResource, loadResources } from '../resources/loaders.ts';
import { getResource } from '../resources/resource.ts';
import { ResourceRef } from '../resources/schema.ts';
import { reading } from '../resources/shown.ts';
import { type PropertyValue, setValue, setValues, valuesByResource } from './assign.ts';
import {
  createProperty,
  deleteProperty,
  getProperty,
  listProperties,
  loadProperty,
  replaceProperty,
  updateProperty,
} from './property.ts';
import { seenValues } from './seen-values.ts';
import { isValueType } from './value.ts';
import { readValues } from './value-object.ts';

const ValueTypeEnum = builder.enumType('CustomPropertyType', {
  description: 'What values a custom property takes. All travel as strings.',
  values: {
    string: { description: 'At most 255 characters.' },
    text: { description: 'Any text.' },
    number: { description: 'A decimal number such as 12.5.' },
    boolean: { description: 'true or false.' },
    date: { description: 'A day as YYYY-MM-DD.' },
    select: { description: 'One of the options.' },
    multiselect: { description: 'Some of the options, separated by commas.' },
    user: { description: 'Id of a user.' },
    resource: { description: 'Id of a resource.' },
    url: { description: 'An http or https address.' },
  },
});

const CoveredKindEnum = closedSet('CoveredKind', {
  description: 'A kind of resource that a custom property covers.',
  values: {
    all: 'Every kind.',
    ...Object.fromEntries(kindNames.map((kind) => [kind, `A ${kinds[kind].label}.`])),
  },
});

const PropertyRef = builder.prismaObject('CustomProperty', {
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.exposeID('id'),
    workspaceId: t.exposeID('workspaceId', {
      description: 'Workspace the property belongs to.',
      extensions: restOnly,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version'),
    name: t.exposeString('name'),
    description: t.exposeString('description'),
    entityTypes: t.expose('entityTypes', { type: [CoveredKindEnum] }),
    valueType: t.field({
      type: ValueTypeEnum,
      description: 'What values it takes.',
      resolve: ({ valueType }) => (isValueType(valueType) ? valueType : 'text'),
    }),
    options: t.exposeStringList('options'),
  }),
});

export const ValueRef = builder.objectRef<PropertyValue>('CustomPropertyValue').implement({
  description: 'The value that a resource has of a custom property.',
  fields: (t) => ({
    property: t.field({
      type: PropertyRef,
      description: 'The property.',
      resolve: ({ property }) => property,
    }),
    value: t.exposeString('value', { description: 'The value in its text form.' }),
    resource: t.field({
      type: ResourceRef,
      nullable: true,
      description: 'The resource that a value of the type `resource` names.',
      resolve: ({ property, value }, _args, ctx) =>
        property.valueType === 'resource' ? loadResource(ctx, value) : null,
    }),
  }),
});

const PropertyConnection = connectionOf('CustomProperty', PropertyRef);

builder.queryFields((t) => ({
  customProperty: t.field({
    type: PropertyRef,
    nullable: true,
    description: 'One custom property.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => getProperty(ctx, id),
  }),
  customProperties: t.field({
    type: PropertyConnection,
    description: 'Custom properties, newest first; a workspace has at most 1,000.',
    args: pageArgs,
    resolve: (_root, args, ctx) => listProperties(ctx, args),
  }),
}));

const fields = (t: InputFields) => ({
  description: t.string({ description: 'What the property means.' }),
  entityTypes: t.field({
    type: [CoveredKindEnum],
    description: 'Kinds it covers; `all`, the default, is every kind.',
  }),
  valueType: t.field({
    type: ValueTypeEnum,
    description: 'What values it takes; string if absent.',
  }),
  options: t.stringList({ description: 'The values of a select or multiselect.' }),
});
const name = 'Name of the property.';

const CreatePropertyInput = builder.inputType('CreateCustomPropertyInput', {
  description: 'A whole definition of a custom property: what is absent takes its default.',
  fields: (t) => ({
    name: t.string({ required: true, description: name, extensions: checkedForRest }),
    ...fields(t),
  }),
});

const UpdatePropertyInput = builder.inputType('UpdateCustomPropertyInput', {
  description: 'What to change of a definition: absent leaves alone.',
  fields: (t) => ({ name: t.string({ description: name }), ...fields(t) }),
});

builder.mutationFields((t) => ({
  createCustomProperty: t.field({
    type: PropertyRef,
    description: 'Define a custom property. Editors may.',
    args: createArgs(CreatePropertyInput),
    resolve: (_root, args, ctx) => createProperty(ctx, args.input),
  }),
  updateCustomProperty: t.field({
    type: PropertyRef,
    description:
      'Change what is given of a definition. Refused where values there are would not fit.',
    args: updateArgs('property', UpdatePropertyInput),
    resolve: (_root, args, ctx) => updateProperty(ctx, args.id, args.input, args.expectedVersion),
  }),
  replaceCustomProperty: t.field({
    type: PropertyRef,
    description:
      'Replace a definition: what is left out takes its default; else as updateCustomProperty.',
    args: { ...idArgs('property'), ...createArgs(CreatePropertyInput), ...versionArgs },
    resolve: (_root, args, ctx) => replaceProperty(ctx, args.id, args.input, args.expectedVersion),
  }),
  deleteCustomProperty: t.field({
    type: PropertyRef,
    description: 'Delete a property and all its values. Editors may.',
    args: deleteArgs('property'),
    resolve: (_root, args, ctx) => deleteProperty(ctx, args.id, args.expectedVersion),
  }),
}));

builder.mutationField('setCustomProperty', (t) =>
  t.field({
    type: ResourceRef,
    description:
      'Set the value of one property on one resource. An empty string deletes. Editors may.',
    args: {
      id: t.arg.id({ required: true, description: 'Id of the property.' }),
      resourceId: t.arg.id({ required: true, description: 'Id of the resource.' }),
      value: t.arg.string({ required: true, description: 'The value in its text form.' }),
      ...versionArgs,
    },
    resolve: async (_root, { id, resourceId, value, expectedVersion }, ctx) => {
      await setValue(ctx, id, resourceId, value, expectedVersion);
      return getResource(ctx, resourceId);
    },
  }),
);

builder.mutationField('setCustomProperties', (t) =>
  t.field({
    type: [ResourceRef],
    description:
      'Set values of custom properties on resources, all or nothing. An empty string deletes. Editors may.',
    args: {
      resourceIds: t.arg.idList({ required: true, description: 'Ids of the resources.' }),
      properties: t.arg({
        type: 'JSON',
        required: true,
        description: 'Object of values as strings, by the ids of the properties.',
      }),
    },
    resolve: async (_root, { resourceIds, properties }, ctx) => {
      await setValues(ctx, resourceIds, readValues(properties));
      return loadResources(ctx, resourceIds);
    },
  }),
);

builder.prismaInterfaceField('Resource', 'customProperties', (t) =>
  t.field({
    type: [ValueRef],
    description:
      'Its values of custom properties, by name of the property; without those that name what the ' +
      'viewer may not see.',
    extensions: reading(),
    resolve: ({ id }, _args, ctx) => valuesSeen(ctx, id),
  }),
);

builder.prismaInterfaceFields('Resource', (t) => ({
  customPropertyValue: t.string({
    nullable: true,
    description: 'Its value of one custom property in its text form; null where it has none.',
    args: { id: t.arg.id({ required: true, description: 'Id of the property.' }) },
    extensions: reading(),
    resolve: async (resource, { id }, ctx) => {
      const values = await valuesSeen(ctx, resource.id);
      const found = values.find(({ property }) => property.id === id.toLowerCase());
      if (!found) await loadProperty(ctx, id);
      return found?.value ?? null;
    },
  }),
  customPropertyValues: t.field({
    type: 'JSON',
    description: 'Its values of custom properties, by the ids of the properties.',
    extensions: { ...restOnly, ...reading() },
    resolve: async ({ id }, _args, ctx) => {
      const values = await valuesSeen(ctx, id);
      return Object.fromEntries(values.map(({ property, value }) => [property.id, value]));
    },
  }),
}));

async function valuesSeen(ctx: Context, id: string): Promise<PropertyValue[]> {
  return seenValues(ctx, (await loaderOf(ctx, valuesByResource).load(id)) ?? []);
}
