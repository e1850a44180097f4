// One change of many resources, in GraphQL.

import { builder } from '../graphql/builder.ts';
import { weighing } from '../graphql/limits/weight.ts';
import { restOnly } from '../graphql/views/mark.ts';
import { JobRef } from '../jobs/schema.ts';
import { UpdateResourceInput } from '../resources/editing/input-schema.ts';
import { ResourceWhere } from '../resources/lists/where-schema.ts';
import { ResourceFilter } from '../resources/query-schema.ts';
import { type ManyChanged, maxAtOnce, maxMany, updateResources } from './edit-many.ts';
import { readValues } from './value-object.ts';

export const UnchangedRef = builder
  .objectRef<ManyChanged['failed'][number]>('UpdateResourcesFailure')
  .implement({
    description: 'A resource that was not changed, and why.',
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Its id.' }),
      code: t.exposeString('code', { description: 'The code of the error, such as `CONFLICT`.' }),
      message: t.exposeString('message', { description: 'What is wrong.' }),
    }),
  });

const ResultRef = builder.objectRef<ManyChanged>('UpdateResourcesResult').implement({
  description: 'What became of a change of many resources.',
  fields: (t) => ({
    matched: t.exposeInt('matched', { description: 'How many resources were meant.' }),
    updated: t.exposeInt('updated', {
      description:
        'How many were changed; with dryRun, how many would be. None yet where there is a job.',
    }),
    failed: t.field({
      type: [UnchangedRef],
      description: 'Those that were not.',
      resolve: ({ failed }) => [...failed],
    }),
    job: t.field({
      type: JobRef,
      nullable: true,
      description:
        'What changes them, where they are more than one request does by itself. Its result has `updated`, `refused` and the ' +
        'first of the `failed`, and `warnings` of fields that had no effect.',
      resolve: ({ job }) => job,
    }),
  }),
});

builder.mutationField('updateResources', (t) =>
  t.field({
    type: ResultRef,
    description:
      'Change many resources alike, each in a transaction with an entry of the audit log of its own: one that is ' +
      `refused keeps none of the others. More than ${maxAtOnce} are changed by a job, ${maxMany.toLocaleString('en')} at most. ` +
      'Editors may.',
    args: {
      ids: t.arg.idList({ description: 'Ids of the resources; or `where`.' }),
      where: t.arg({ type: ResourceWhere, description: 'What holds for the resources; or `ids`.' }),
      filter: t.arg({
        type: ResourceFilter,
        description: 'The same in the language of REST.',
        extensions: restOnly,
      }),
      input: t.arg({
        type: UpdateResourceInput,
        required: true,
        description: 'What to change, as `updateResource` takes it; `{}` for nothing.',
      }),
      customProperties: t.arg({
        type: 'JSON',
        description:
          'Object of values as strings, by the ids of custom properties; an empty one deletes.',
      }),
      dryRun: t.arg.boolean({ defaultValue: false, description: 'True changes nothing.' }),
    },
    extensions: weighing({ isUnbounded: true }),
    resolve: (_root, { ids, where, filter, input, customProperties, dryRun }, ctx) =>
      updateResources(ctx, {
        ids,
        where,
        filter,
        changes: input,
        values:
          customProperties == null ? new Map() : readValues(customProperties, 'customProperties'),
        dryRun: dryRun ?? false,
      }),
  }),
);
