-- Each workspace's log is sealed by itself, so that another one's is neither waited for nor passed by. A process of the
-- version before seals all in one order and would leave out what lies behind: without the sequence by its old name it
-- seals nothing, and says so in its log until it is replaced.
ALTER SEQUENCE "audit_log_sequence_seq" RENAME TO "audit_log_number_seq";

-- How far each workspace's log was streamed.
CREATE TABLE "audit_sent" (
    "workspace_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_sent_pkey" PRIMARY KEY ("workspace_id")
);
ALTER TABLE "audit_sent" ADD CONSTRAINT "audit_sent_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "audit_sent" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "audit_sent" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);
INSERT INTO "audit_sent" ("workspace_id", "position")
SELECT s."workspace_id", max(s."position") FROM "audit_seal" s
WHERE s."sequence" <= (SELECT (value::jsonb->>'sequence')::bigint FROM "setting" WHERE name = 'audit_stream')
GROUP BY 1;
