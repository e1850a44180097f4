// Adding a field of every resource: a note of its steward.

import { after, type Recipe } from './recipe.ts';

const record = 'src/resources/rest/record.rest.graphql';

export const field: Recipe = {
  title: 'Adding a field of every resource',
  edits: [
    after(
      'prisma/schema.prisma',
      '  nativeType                String?   @map("native_type")',
      '  /// What its steward wants readers to know.',
      '  stewardNote               String?   @map("steward_note")',
    ),
    after(
      'src/resources/editing/fields.ts',
      `  nativeType: optionalText('native_type', 200),`,
      `  stewardNote: optionalText('steward_note', 1_000),`,
    ),
    after(
      'src/auth/field-permission.ts',
      `  native_type: 'editors',`,
      `  steward_note: 'editors',`,
    ),
    after(
      'src/resources/editing/input-schema.ts',
      `  description: t.string({ description: 'One sentence about it.' }),`,
      `  stewardNote: t.string({ description: 'What its steward wants readers to know.' }),`,
    ),
    after(
      'src/resources/schema.ts',
      `    nativeType: t.exposeString('nativeType', { nullable: true }),`,
      `    stewardNote: t.exposeString('stewardNote', { nullable: true }),`,
    ),
    {
      file: record,
      from: '  native_type: nativeType\n  bookmarked_by',
      to: '  native_type: nativeType\n  steward_note: stewardNote\n  bookmarked_by',
    },
    {
      file: record,
      from: '  definition\n  pii\n',
      to: '  definition\n  steward_note: stewardNote\n  pii\n',
    },
    after('src/explorer/resource/page.graphql', '    nativeType', '    stewardNote'),
    {
      file: 'src/explorer/resource/aside.tsx',
      from: '      <Properties resource={resource} />\n',
      to: `      <Properties resource={resource} />
      {resource.stewardNote && (
        <Fact name={words.resource.stewardNote}>{resource.stewardNote}</Fact>
      )}
`,
    },
    after('src/explorer/words.ts', `    keyColumn: 'key',`, `    stewardNote: 'Steward note',`),
    {
      file: 'docs/permissions.md',
      from: '`external_updated_at`, `native_type`,',
      to: '`external_updated_at`, `native_type`, `steward_note`,',
    },
    after(
      'docs/limits.md',
      '| resources | `native_type` | up to 200 characters |',
      '| resources | `steward_note` | up to 1,000 characters |',
    ),
    // The bodies of: a new resource, its change, a new table, its change.
    ...[
      '`published`, `teams`, `owners`, `owners_groups`, `collections`, `tags`, `subscribers`,',
      '`published`, `teams`, `owners`, `collections`, `tags`, `subscribers`, `parent`,',
      '`published`, `teams`, `owners`, `owners_groups`, `collections`, `tags`, `subscribers` and',
      '`published`, `teams`, `owners`, `collections`, `tags` and `subscribers`;',
    ].map((from) => ({ file: 'docs/api.md', from, to: `\`steward_note\`, ${from}` })),
    after(
      'test/rest/openapi/reference.ts',
      `  external_updated_at: 'time?',`,
      `  steward_note: 'string?',`,
    ),
  ],
};
