-- AlterTable
ALTER TABLE "measurement" ADD COLUMN     "maintenance" TEXT;

-- CreateTable
CREATE TABLE "maintenance_window" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,
    "name" TEXT NOT NULL,
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "integration_id" UUID,
    "monitor_id" UUID,
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "days" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "from_time" TEXT,
    "until_time" TEXT,
    "time_zone" TEXT NOT NULL DEFAULT 'UTC',
    "measures" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "maintenance_window_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "maintenance_window_workspace_id_integration_id_idx" ON "maintenance_window"("workspace_id", "integration_id");

-- CreateIndex
CREATE INDEX "maintenance_window_workspace_id_monitor_id_idx" ON "maintenance_window"("workspace_id", "monitor_id");

-- AddForeignKey
ALTER TABLE "maintenance_window" ADD CONSTRAINT "maintenance_window_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "maintenance_window" ADD CONSTRAINT "maintenance_window_workspace_id_integration_id_fkey" FOREIGN KEY ("workspace_id", "integration_id") REFERENCES "integration"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "maintenance_window" ADD CONSTRAINT "maintenance_window_workspace_id_monitor_id_fkey" FOREIGN KEY ("workspace_id", "monitor_id") REFERENCES "monitor"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TRIGGER "maintenance_window_version" BEFORE UPDATE ON "maintenance_window" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "count_version"();

ALTER TABLE "maintenance_window" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "maintenance_window" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);
