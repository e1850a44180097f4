-- AlterTable
ALTER TABLE "integration" ADD COLUMN     "keeps_failing_rows" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE UNLOGGED TABLE "failing_rows" (
    "workspace_id" UUID NOT NULL,
    "incident_id" UUID NOT NULL,
    "sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "failing_rows_pkey" PRIMARY KEY ("workspace_id","incident_id")
);

-- AddForeignKey
ALTER TABLE "failing_rows" ADD CONSTRAINT "failing_rows_workspace_id_incident_id_fkey" FOREIGN KEY ("workspace_id", "incident_id") REFERENCES "incident"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "failing_rows" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "failing_rows" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);

-- Whether it keeps rows is a change that people see.
DROP TRIGGER "integration_version" ON "integration";
CREATE TRIGGER "integration_version" BEFORE UPDATE ON "integration" FOR EACH ROW
  WHEN ((
    OLD.created_at, OLD.name, OLD.type, OLD.credentials, OLD.ssh_tunnel, OLD.execute_access,
    OLD.scheduled_extractions_hour, OLD.scheduled_extractions_frequency, OLD.properties,
    OLD.preview_access_users, OLD.preview_access_roles, OLD.preview_access_groups, OLD.team_ids, OLD.keeps_failing_rows
  ) IS DISTINCT FROM (
    NEW.created_at, NEW.name, NEW.type, NEW.credentials, NEW.ssh_tunnel, NEW.execute_access,
    NEW.scheduled_extractions_hour, NEW.scheduled_extractions_frequency, NEW.properties,
    NEW.preview_access_users, NEW.preview_access_roles, NEW.preview_access_groups, NEW.team_ids, NEW.keeps_failing_rows
  )) EXECUTE FUNCTION "count_version"();
