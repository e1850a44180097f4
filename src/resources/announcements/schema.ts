// Announcements in GraphQL.

import { knownUser } from '../../auth/permission.ts';
import { builder, type InputFields } from '../../graphql/builder.ts';
import { weighing } from '../../graphql/limits/weight.ts';
import { createArgs, deleteArgs, updateArgs } from '../../graphql/mutation-args.ts';
import { connectionOf, pageArgs } from '../../graphql/page.ts';
import { closedSet } from '../../graphql/views/closed-set.ts';
import { resourceAt } from '../schema.ts';
import { reading } from '../shown.ts';
import { listAnnouncements, loadAnnouncements } from './announced.ts';
import {
  createAnnouncement,
  deleteAnnouncement,
  mayAnnounce,
  updateAnnouncement,
} from './announcement.ts';
import { severities } from './fields.ts';

const SeverityEnum = closedSet('AnnouncementSeverity', {
  description: 'How much an announcement matters.',
  values: severities,
});

export const AnnouncementRef = builder.prismaObject('Announcement', {
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version'),
    text: t.exposeString('text'),
    severity: t.expose('severity', { type: SeverityEnum }),
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true }),
    authorId: t.id({
      nullable: true,
      description: 'The user who wrote it; null for those who may not know of users.',
      resolve: ({ authorId }, _args, ctx) => knownUser(ctx, authorId),
    }),
    mayChange: t.boolean({
      description:
        'Whether the viewer may change and delete it: editors may, and admins one to the whole workspace.',
      resolve: ({ resourceId }, _args, ctx) => mayAnnounce(ctx, resourceId),
    }),
    resourceId: t.exposeID('resourceId', { nullable: true }),
    resource: t.field(
      resourceAt(
        'The resource that it is about; null for the whole workspace.',
        ({ resourceId }: { resourceId: string | null }) => resourceId,
      ),
    ),
  }),
});

/** Few resources have more. */
const usualAnnouncements = 2;

builder.prismaInterfaceField('Resource', 'announcements', (t) =>
  t.field({
    type: [AnnouncementRef],
    description:
      'What is announced now on it, and on what it lies in: warnings first, of them the latest first; at most 20.',
    extensions: { ...reading(), ...weighing({ items: usualAnnouncements }) },
    resolve: ({ id }, _args, ctx) => loadAnnouncements(ctx, id),
  }),
);

const AnnouncementConnection = connectionOf('Announcement', AnnouncementRef);

builder.queryField('announcements', (t) =>
  t.field({
    type: AnnouncementConnection,
    description: 'Announcements that the viewer may see, the newest first.',
    args: {
      ...pageArgs,
      resourceId: t.arg.id({ description: 'Only those on this resource itself.' }),
      toEveryone: t.arg.boolean({
        description: 'Only those to the whole workspace; false for those on resources.',
      }),
      current: t.arg.boolean({
        description: 'Only those that began and have not ended; false for the others.',
      }),
    },
    resolve: (_root, { resourceId, toEveryone, current, ...args }, ctx) =>
      listAnnouncements(ctx, { resourceId, toEveryone, current }, args),
  }),
);

const text = 'The text, in Markdown.';

const fields = (t: InputFields) => ({
  severity: t.field({
    type: SeverityEnum,
    description: 'How much it matters; INFO unless given.',
  }),
  startsAt: t.field({
    type: 'DateTime',
    description: 'From when on it is shown; now unless given.',
  }),
  endsAt: t.field({
    type: 'DateTime',
    description: 'Until when it is shown; null until somebody ends or deletes it.',
  }),
});

const CreateAnnouncementInput = builder.inputType('CreateAnnouncementInput', {
  description: 'Something to announce. What is absent takes its default.',
  fields: (t) => ({
    resourceId: t.id({
      description: 'Id of the resource that it is about; none for the whole workspace.',
    }),
    text: t.string({ required: true, description: text }),
    ...fields(t),
  }),
});

const UpdateAnnouncementInput = builder.inputType('UpdateAnnouncementInput', {
  description: 'Changes of an announcement. What is absent stays as it is, null clears the end.',
  fields: (t) => ({ text: t.string({ description: text }), ...fields(t) }),
});

builder.mutationFields((t) => ({
  createAnnouncement: t.field({
    type: AnnouncementRef,
    description:
      'Announce something on a resource, which editors may, or to the whole workspace, which admins may.',
    args: createArgs(CreateAnnouncementInput),
    resolve: (_root, { input }, ctx) => createAnnouncement(ctx, input),
  }),
  updateAnnouncement: t.field({
    type: AnnouncementRef,
    description: 'Change an announcement. Who may announce it may.',
    args: updateArgs('announcement', UpdateAnnouncementInput),
    resolve: (_root, args, ctx) =>
      updateAnnouncement(ctx, args.id, args.input, args.expectedVersion),
  }),
  deleteAnnouncement: t.field({
    type: AnnouncementRef,
    description: 'Delete an announcement; answers what it was. Who may announce it may.',
    args: deleteArgs('announcement'),
    resolve: (_root, args, ctx) => deleteAnnouncement(ctx, args.id, args.expectedVersion),
  }),
}));
