-- What each user opened last, the latest 100.
-- CreateTable
CREATE TABLE "recent_view" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "resource_id" UUID NOT NULL,
    "viewed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "recent_view_pkey" PRIMARY KEY ("workspace_id","user_id","resource_id")
);

-- CreateIndex
CREATE INDEX "recent_view_workspace_id_resource_id_idx" ON "recent_view"("workspace_id", "resource_id");

-- AddForeignKey
ALTER TABLE "recent_view" ADD CONSTRAINT "recent_view_workspace_id_resource_id_fkey" FOREIGN KEY ("workspace_id", "resource_id") REFERENCES "resource"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "recent_view" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "recent_view" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);
