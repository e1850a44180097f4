-- The versions of the artifacts that were pulled: what did not change is not read again.
CREATE TABLE "read_artifact" (
    "workspace_id" UUID NOT NULL,
    "integration_id" UUID NOT NULL,
    "artifact" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "read_artifact_pkey" PRIMARY KEY ("workspace_id","integration_id","artifact")
);
ALTER TABLE "read_artifact" ADD CONSTRAINT "read_artifact_workspace_id_integration_id_fkey"
  FOREIGN KEY ("workspace_id", "integration_id") REFERENCES "integration"("workspace_id", "id")
  ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "read_artifact" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "read_artifact" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);
