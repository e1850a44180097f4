-- CreateTable
CREATE TABLE "saved_search" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "kinds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "tag_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "team_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "owner_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "integration_ids" UUID[] DEFAULT ARRAY[]::UUID[],

    CONSTRAINT "saved_search_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "saved_search_workspace_id_user_id_name_key" ON "saved_search"("workspace_id", "user_id", "name");

-- AddForeignKey
ALTER TABLE "saved_search" ADD CONSTRAINT "saved_search_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "saved_search" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "saved_search" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);
