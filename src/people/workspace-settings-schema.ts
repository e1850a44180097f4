// Settings of the workspace in GraphQL.

import { builder } from '../graphql/builder.ts';
import { createArgs } from '../graphql/mutation-args.ts';
import {
  suggestedCountry,
  updateWorkspaceSettings,
  type WorkspaceSettings,
  workspaceSettings,
} from './workspace-settings.ts';

const WorkspaceSettingsRef = builder.objectRef<WorkspaceSettings>('WorkspaceSettings').implement({
  description: 'What holds for a whole workspace.',
  fields: (t) => ({
    timeZone: t.exposeString('timeZone', {
      nullable: true,
      description:
        'The time zone of business hours, and of new monitors that have none of their own; null for UTC.',
    }),
    holidayCountry: t.exposeString('holidayCountry', {
      nullable: true,
      description:
        'The country whose public holidays new monitors know that have none of their own.',
    }),
    suggestedHolidayCountry: t.string({
      nullable: true,
      description: 'The country that the time zone lies in, where none is set.',
      resolve: (settings) => suggestedCountry(settings),
    }),
  }),
});

const UpdateWorkspaceSettingsInput = builder.inputType('UpdateWorkspaceSettingsInput', {
  description: 'Settings of the workspace: absent leaves alone, null clears.',
  fields: (t) => ({
    timeZone: t.string({ description: 'A time zone of the IANA database, such as Europe/Berlin.' }),
    holidayCountry: t.string({ description: 'The two letters of a country, such as US.' }),
  }),
});

builder.queryField('workspaceSettings', (t) =>
  t.field({
    type: WorkspaceSettingsRef,
    description: 'What holds for the whole workspace.',
    resolve: (_root, _args, ctx) => workspaceSettings(ctx),
  }),
);

builder.mutationField('updateWorkspaceSettings', (t) =>
  t.field({
    type: WorkspaceSettingsRef,
    description: 'Change what holds for the whole workspace. Editors may.',
    args: createArgs(UpdateWorkspaceSettingsInput),
    resolve: (_root, args, ctx) => updateWorkspaceSettings(ctx, args.input),
  }),
);
