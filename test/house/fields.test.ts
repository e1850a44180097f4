// The tables of fields are the one truth: the documents of REST and the pages say what they say.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInputObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { type Action, isAllowed } from '../../src/auth/permission.ts';
import { roles, serverId, serverViewer } from '../../src/auth/viewer.ts';
import { schema } from '../../src/graphql/schema.ts';
import { integrationNoun } from '../../src/integrations/fields.ts';
import { monitorNoun } from '../../src/monitors/fields.ts';
import { windowNoun } from '../../src/monitors/maintenance/fields.ts';
import { ruleNoun } from '../../src/notifications/rule-fields.ts';
import { webhookNoun } from '../../src/notifications/webhooks/webhook.ts';
import { apiKeyNoun } from '../../src/people/api-key.ts';
import { groupNoun } from '../../src/people/group.ts';
import { userNoun } from '../../src/people/user.ts';
import { workspaceNoun } from '../../src/people/workspace-settings.ts';
import { propertyNoun } from '../../src/properties/definition.ts';
import { announcementNoun } from '../../src/resources/announcements/fields.ts';
import { commentNoun } from '../../src/resources/comments/fields.ts';
import { deprecationNoun } from '../../src/resources/editing/deprecation.ts';
import { resourceNoun } from '../../src/resources/editing/fields.ts';
import { questionNoun } from '../../src/resources/questions/question-fields.ts';
import { savedSearchNoun } from '../../src/resources/search/saved/saved-search.ts';
import { operations } from '../../src/rest/api.ts';
import { tagNoun } from '../../src/tags/tag.ts';
import { teamNoun } from '../../src/teams/team.ts';
import { root } from './sources.ts';

interface Table {
  readonly by: Action;
  readonly fields: Readonly<Record<string, { rest: string; holds: string; isOwn?: boolean }>>;
}

/** Each table by what pages call the noun, with its input or mutation and the operations of REST that take one. */
const tables: readonly [string, Table, string, readonly string[]][] = [
  [
    'resources',
    resourceNoun,
    'UpdateResourceInput',
    [
      ...['CreateResource', 'UpdateResource', 'CreateTable', 'UpdateTable'],
      ...['CreateTerm', 'UpdateTerm'],
    ],
  ],
  ['questions', questionNoun, 'UpdateQuestionInput', ['CreateQuestion', 'UpdateQuestion']],
  ['tags', tagNoun, 'UpdateTagInput', ['CreateTag', 'UpdateTag']],
  ['teams', teamNoun, 'UpdateTeamInput', ['CreateTeam', 'UpdateTeam']],
  ['users', userNoun, 'UpdateUserInput', ['CreateUser', 'UpdateUser']],
  ['API keys', apiKeyNoun, 'CreateApiKeyInput', []],
  ['groups', groupNoun, 'UpdateGroupInput', ['CreateGroup', 'UpdateGroup']],
  [
    'custom properties',
    propertyNoun,
    'UpdateCustomPropertyInput',
    ['CreateCustomProperty', 'ReplaceCustomProperty', 'UpdateCustomProperty'],
  ],
  [
    'integrations',
    integrationNoun,
    'UpdateIntegrationInput',
    ['CreateIntegration', 'UpdateIntegration'],
  ],
  ['monitors', monitorNoun, 'UpdateMonitorInput', ['CreateMonitor', 'UpdateMonitor']],
  ['webhooks', webhookNoun, 'UpdateWebhookInput', []],
  ['notification rules', ruleNoun, 'UpdateNotificationRuleInput', []],
  ['deprecations', deprecationNoun, 'DeprecationInput', []],
  ['announcements', announcementNoun, 'UpdateAnnouncementInput', []],
  ['comments', commentNoun, 'UpdateCommentInput', []],
  ['saved searches', savedSearchNoun, 'SaveSearchInput', []],
  ['maintenance windows', windowNoun, 'UpdateMaintenanceWindowInput', []],
  ['workspaces', workspaceNoun, 'UpdateWorkspaceSettingsInput', []],
];

/** Fields that only GraphQL takes. */
const graphqlOnly = [
  ...['row_count', 'byte_size', 'external_updated_at'].map((field) => `resources ${field}`),
  'teams onboarding_complete',
  'users email_notifications',
  ...Object.values(apiKeyNoun.fields).map(({ rest }) => `API keys ${rest}`),
  ...Object.values(webhookNoun.fields).map(({ rest }) => `webhooks ${rest}`),
  ...Object.values(workspaceNoun.fields).map(({ rest }) => `workspaces ${rest}`),
  ...Object.values(deprecationNoun.fields).map(({ rest }) => `deprecations ${rest}`),
  ...Object.values(announcementNoun.fields).map(({ rest }) => `announcements ${rest}`),
  ...Object.values(commentNoun.fields).map(({ rest }) => `comments ${rest}`),
  ...Object.values(savedSearchNoun.fields).map(({ rest }) => `saved searches ${rest}`),
  ...Object.values(windowNoun.fields).map(({ rest }) => `maintenance windows ${rest}`),
  ...Object.values(ruleNoun.fields).map(({ rest }) => `notification rules ${rest}`),
];

const page = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');

test('every field is one of the input that its table is of', () => {
  for (const [noun, { fields }, input] of tables) {
    expect(namesGiven(input), noun).toEqual(expect.arrayContaining(Object.keys(fields)));
  }
});

/** The fields of an input type, or the arguments of a mutation. */
function namesGiven(input: string): string[] {
  const [, mutation] = input.split('Mutation.');
  if (mutation === undefined) {
    const type = schema.getType(input);
    return isInputObjectType(type) ? Object.keys(type.getFields()) : [];
  }
  const { args = [] } = schema.getMutationType()?.getFields()[mutation] ?? {};
  return args.map(({ name }) => name);
}

test('a field has the same name in its table and in the bodies of REST', () => {
  const without: string[] = [];
  for (const [noun, { fields }, , names] of tables) {
    const documented = names.map((name) => operations.find((one) => one.name === name));
    expect(documented, noun).not.toContain(undefined);
    for (const [name, { rest }] of Object.entries(fields)) {
      const said = documented.flatMap((one) => one?.documentedNames.get(`input.${name}`) ?? []);
      if (said.length === 0) without.push(`${noun} ${rest}`);
      expect(
        said.filter((one) => one !== rest),
        `${noun} ${name}`,
      ).toEqual([]);
    }
  }
  expect(without.sort()).toEqual([...graphqlOnly].sort());
});

test('the page of limits says of every field what it holds, and nothing else', () => {
  const wanted = tables.flatMap(([noun, { fields }]) =>
    Object.values(fields).map(({ rest, holds }) => `| ${noun} | \`${rest}\` | ${holds} |`),
  );
  const [, section = ''] = page('limits.md').split('## What fields hold\n');
  const rows = section.split('\n## ')[0]?.split('\n') ?? [];
  const said = rows.filter((row) => /^\| [A-Za-z ]+ \| `/.test(row));
  expect(said.join('\n'), 'rows of docs/limits.md, in the order of the tables').toBe(
    wanted.join('\n'),
  );
});

test('the page of permissions says who sets the fields of everything but resources', () => {
  const others = tables.filter(
    ([, { fields }]) => fields !== resourceNoun.fields && fields !== questionNoun.fields,
  );
  const wanted = others.flatMap(([noun, { by, fields }]) => {
    const may = roles.filter((role) => isAllowed({ viewer: { ...anybody, role } }, by));
    const who = may.map((role) => `${role}s`).join(' and ');
    const row = (isOwn: boolean, whose: string) => {
      const some = Object.values(fields).filter((field) => (field.isOwn ?? false) === isOwn);
      const names = some.map(({ rest }) => `\`${rest}\``).join(', ');
      return some.length === 0 ? [] : [`| ${noun} | ${whose} | ${names} |`];
    };
    return [...row(false, who), ...row(true, `each of themselves, ${who} of others`)];
  });
  const said = page('permissions.md')
    .split('\n')
    .filter((line) => wanted.includes(line));
  expect(said).toEqual(wanted);
});

const anybody = serverViewer(serverId);
