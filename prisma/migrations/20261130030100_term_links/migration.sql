-- CreateTable
CREATE TABLE "term_link" (
    "workspace_id" UUID NOT NULL,
    "term_id" UUID NOT NULL,
    "related_id" UUID NOT NULL,

    CONSTRAINT "term_link_pkey" PRIMARY KEY ("workspace_id","term_id","related_id"),
    CONSTRAINT "term_link_once" CHECK ("term_id" < "related_id")
);

-- CreateIndex
CREATE INDEX "term_link_workspace_id_related_id_idx" ON "term_link"("workspace_id", "related_id");

-- AddForeignKey
ALTER TABLE "term_link" ADD CONSTRAINT "term_link_workspace_id_term_id_fkey" FOREIGN KEY ("workspace_id", "term_id") REFERENCES "resource"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "term_link" ADD CONSTRAINT "term_link_workspace_id_related_id_fkey" FOREIGN KEY ("workspace_id", "related_id") REFERENCES "resource"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "term_link" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "term_link" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);
