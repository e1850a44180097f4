// What is not bound to one workspace: each such index, and each such place in the program, is known with its reason.

import { expect, test } from 'vitest';
import { rows } from '../../src/database/rows.ts';
import { openCatalog } from '../catalog.ts';
import { filesMatching } from '../house/sources.ts';

/** Unique indexes that hold across workspaces. */
const indexes = {
  api_key_hash_key: 'a key that names no workspace is looked up by it',
  setting_pkey: 'settings of the server itself',
  web_session_hash_key: 'a cookie names no workspace',
  workspace_pkey: 'the workspaces themselves',
};

/** Files of which some statement is about all workspaces. */
const places = {
  'src/audit/seal.ts': 'workers seal for all',
  'src/audit/stream/position.ts': 'the stream goes on where it was',
  'src/audit/stream/stream.ts': 'all entries go to one place',
  'src/auth/authentication.ts': 'whose key it is, is not known yet',
  'src/auth/web-session.ts': 'whose session it is, is not known yet',
  'src/commands/audit-verify.ts': 'the chains of all are checked',
  'src/commands/retention.ts': 'the settings are those of the server',
  'src/context.ts': 'where it is offered',
  'src/database/outside.ts': 'where it is offered',
  'src/integrations/imports/staging/leftovers.ts': 'scratch tables of imports that ended without',
  'src/integrations/rewrap.ts': 'a new master key is for all credentials',
  'src/integrations/syncs/ended-run.ts': 'a signed message names no workspace, only an integration',
  'src/jobs/worker.ts': 'a worker works for all',
  'src/limits/workspace-limits.ts': 'an operator sets them, and lists what each uses',
  'src/limits/workspace-storage.ts': 'the bytes of each are reckoned in one go',
  'src/metrics/state.ts': 'figures of the server',
  'src/people/admin-key.ts': 'an operator names the workspace',
  'src/people/first-admin.ts': 'there may be none yet',
  'src/people/workspaces/delete-workspace.ts': 'an operator names the workspace',
  'src/people/workspaces/import-workspace.ts': 'an operator brings the workspace',
  'src/people/workspaces/workspaces.ts': 'an operator lists them',
  'src/sign-in/claimed-account.ts': 'where a person has an account is looked for',
};

test('unique indexes without the workspace are those that are known', async () => {
  await using catalog = await openCatalog();
  const found = await rows<{ name: string }>(
    catalog.admin,
    `select c.relname::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indisunique and c.relnamespace = 'public'::regnamespace and c.relname not like '\\_prisma%'
        and not exists (select from pg_attribute a where a.attrelid = i.indexrelid and a.attname = 'workspace_id')`,
  );
  expect(found.map(({ name }) => name).sort()).toEqual(Object.keys(indexes));
});

test('places of the program that reach across workspaces are those that are known', () => {
  const reaching = filesMatching(/^src\/.*\.ts$/).filter(
    ({ path, text }) =>
      !path.startsWith('src/generated/') && /\b(?:acrossWorkspaces|contextAcross)\(/.test(text),
  );
  expect(reaching.map(({ path }) => path).sort()).toEqual(Object.keys(places));
});
