-- CreateTable
CREATE TABLE "announcement" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,
    "resource_id" UUID,
    "author_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "severity" TEXT NOT NULL DEFAULT 'INFO',
    "starts_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ends_at" TIMESTAMPTZ(3),

    CONSTRAINT "announcement_pkey" PRIMARY KEY ("workspace_id","id"),
    CONSTRAINT "announcement_severity_known" CHECK ("severity" IN ('INFO', 'WARNING')),
    CONSTRAINT "announcement_ends_later" CHECK ("ends_at" > "starts_at")
);

-- CreateIndex
CREATE INDEX "announcement_workspace_id_resource_id_idx" ON "announcement"("workspace_id", "resource_id");

-- CreateIndex
CREATE INDEX "announcement_workspace_id_created_at_idx" ON "announcement"("workspace_id", "created_at");

-- AddForeignKey
ALTER TABLE "announcement" ADD CONSTRAINT "announcement_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "announcement" ADD CONSTRAINT "announcement_workspace_id_resource_id_fkey" FOREIGN KEY ("workspace_id", "resource_id") REFERENCES "resource"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TRIGGER "announcement_version" BEFORE UPDATE ON "announcement" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "count_version"();

ALTER TABLE "announcement" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "announcement" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);
