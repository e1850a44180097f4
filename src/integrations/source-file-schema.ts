// The file of a project that something is made by, in GraphQL.

import { builder } from '../graphql/builder.ts';
import { reading } from '../resources/shown.ts';
import { loadSourceFile, type SourceFile } from './source-file.ts';

const SourceFileRef = builder.objectRef<SourceFile>('SourceFile').implement({
  description: 'A file of a project, as far as the project says it.',
  fields: (t) => ({
    path: t.exposeString('path', {
      nullable: true,
      description:
        'Its path within the repository, or within the package that the project takes it from.',
    }),
    url: t.exposeString('url', {
      nullable: true,
      description:
        'Where people read it: within `git_url` of the properties of the integration. Null where that is not set, and ' +
        'for files of packages.',
    }),
    rawCode: t.exposeString('rawCode', {
      nullable: true,
      description: 'What somebody wrote there, where it is not the SQL that was made of it.',
    }),
    language: t.exposeString('language', {
      nullable: true,
      description: 'The language of the code, where it is not SQL.',
    }),
  }),
});

builder.prismaInterfaceFields('Resource', (t) => ({
  sourceFile: t.field({
    type: SourceFileRef,
    nullable: true,
    description: 'The file of a project that says how it is made; null where none is known.',
    extensions: reading('sourceMetadata', 'integrationId'),
    resolve: (resource, _args, ctx) => loadSourceFile(ctx, resource),
  }),
}));
