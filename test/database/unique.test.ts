// Unique indexes: what a client is told that runs into one names what exists, and in which field.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { failureOf } from '../../src/database/failure.ts';
import { rows } from '../../src/database/rows.ts';
import { namedUniques } from '../../src/database/unique.ts';
import { openCatalog } from '../catalog.ts';

/** Indexes that no request runs into, and why. */
const unseen = new Map([
  ['api_key_hash_key', 'of a key that is made at random'],
  ['audit_log_workspace_id_sequence_key', 'counted by the database'],
  ['audit_cut_pkey', 'written with on conflict'],
  ['audit_cut_workspace_id_position_key', 'of a workspace there is one'],
  ['audit_seal_pkey', 'one worker at a time seals a workspace, under a lock'],
  ['audit_seal_workspace_id_sequence_key', 'one worker at a time seals a workspace, under a lock'],
  ['audit_sent_pkey', 'written with on conflict'],
  ['database_address_pkey', 'written with on conflict'],
  ['integration_address_pkey', 'written with on conflict'],
  ['read_artifact_pkey', 'written with on conflict'],
  ['table_profile_pkey', 'written with on conflict'],
  ['failing_rows_pkey', 'written with on conflict'],
  ['learner_snapshot_pkey', 'written with on conflict'],
  ['recent_view_pkey', 'written with on conflict'],
  ['lineage_edge_upstream_key', 'of ids that were made at random'],
  ['lineage_log_pkey', 'counted by the database'],
  [
    'measurement_workspace_id_monitor_id_job_id_key',
    'written by the job that measures, which looks first',
  ],
  ['notification_workspace_id_dedupe_key_key', 'written by jobs, each thing by one'],
  ['openlineage_day_pkey', 'written with on conflict'],
  ['openlineage_event_pkey', 'written with on conflict'],
  ['openlineage_namespace_pkey', 'written by one drain at a time'],
  ['resource_alias_pkey', 'of a resource that is locked and merged once'],
  ['resource_claim_pkey', 'written with on conflict'],
  ['run_result_workspace_id_integration_id_invocation_id_node_k_key', 'written with on conflict'],
  ['saved_search_workspace_id_user_id_name_key', 'looked for under a lock first'],
  ['schema_baseline_pkey', 'written with on conflict'],
  ['search_document_pkey', 'written with on conflict'],
  ['setting_pkey', 'of the server itself'],
  ['table_trace_pkey', 'written with on conflict'],
  ['term_link_pkey', 'written with on conflict'],
  ['title_word_pkey', 'a transaction has its own rows, each word once'],
  ['invitation_pkey', 'written with on conflict'],
  ['usage_day_pkey', 'written with on conflict'],
  ['user_identity_pkey', 'looked for under a lock first'],
  ['user_identity_workspace_id_user_id_issuer_key', 'looked for under a lock first'],
  ['web_session_hash_key', 'of a secret that is made at random'],
  ['write_count_pkey', 'written with on conflict'],
]);

test('each unique index has its sentence, or is one that no request runs into', async () => {
  await using catalog = await openCatalog();
  const indexes = await rows<{ name: string; columns: string[] }>(
    catalog.admin,
    `select c.relname::text as name, array(select pg_get_indexdef(i.indexrelid, n, true)
        from generate_series(1, i.indnatts) n)::text[] as columns
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indisunique and c.relnamespace = 'public'::regnamespace`,
  );
  // Ids are made at random.
  const others = indexes.filter(
    ({ columns }) => !['id', 'workspace_id,id'].includes(columns.join()),
  );
  expect(others.map(({ name }) => name).sort()).toEqual([...namedUniques, ...unseen.keys()].sort());
});

test('what exists already is named, no matter who sent the statement', async () => {
  await using catalog = await openCatalog();
  const { name } = await catalog.tag();
  const { workspaceId, admin } = catalog;
  const { prisma } = catalog.database;
  const color = '#ff0000';
  const refused = (work: Promise<unknown>) =>
    work.then(
      () => 'made',
      (error) => failureOf(error),
    );
  const expected = { code: 'CONFLICT', message: 'There is a tag with this name already.' };
  const again = { workspaceId, name: name.toUpperCase(), color };
  expect(await refused(prisma.tag.create({ data: again }))).toMatchObject(expected);
  const sql = 'insert into tag (workspace_id, id, name, color) values ($1, $2, $3, $4)';
  expect(await refused(rows(admin, sql, [workspaceId, randomUUID(), name, color]))).toMatchObject(
    expected,
  );
  const email = 'viewer@example.com';
  expect(await refused(prisma.user.create({ data: { workspaceId, email } }))).toMatchObject({
    message: 'There is a user with this email already.',
  });
  expect(await refused(prisma.setting.create({ data: { name: 'unique.test', value: '' } }))).toBe(
    'made',
  );
  expect(
    await refused(prisma.setting.create({ data: { name: 'unique.test', value: '' } })),
  ).toMatchObject({
    message: 'Another request created the same thing at the same time; try again.',
  });
});
