// Settings of the workspace in GraphQL.

import { builder } from '../graphql/builder.ts';
import { createArgs } from '../graphql/mutation-args.ts';
import type { Limited, WorkspaceUse } from '../limits/workspace-limits.ts';
import {
  suggestedCountry,
  updateWorkspaceSettings,
  type WorkspaceSettings,
  workspaceSettings,
  workspaceUses,
} from './workspace-settings.ts';

const LimitedEnum = builder.enumType('WorkspaceLimitName', {
  description: 'What a workspace may have so much of.',
  values: {
    resources: { description: 'Resources that are not deleted.' },
    monitors: { description: 'Monitors.' },
    writes_per_minute: {
      description: 'Writes of all keys and people in this minute; counted where they are limited.',
    },
    storage_mb: {
      description:
        'What its rows take of the database with their indexes, in MB, measured by samples once a minute.',
    },
  } satisfies Record<Limited, object>,
});

const WorkspaceUseRef = builder.objectRef<WorkspaceUse>('WorkspaceUse').implement({
  description: 'How much of something a workspace has, and may have.',
  fields: (t) => ({
    what: t.field({
      type: LimitedEnum,
      description: 'What there is so much of.',
      resolve: ({ what }) => what,
    }),
    used: t.field({
      type: 'SafeInt',
      description: 'How much there is.',
      resolve: ({ used }) => used,
    }),
    most: t.exposeInt('most', {
      nullable: true,
      description:
        'The most that there may be, as those who run the server set it; null for any number.',
    }),
  }),
});

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
    uses: t.field({
      type: [WorkspaceUseRef],
      nullable: true,
      description: 'What the workspace has and may have; null for all but admins.',
      resolve: (_settings, _args, ctx) => workspaceUses(ctx),
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
