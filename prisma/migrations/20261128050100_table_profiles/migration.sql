-- The latest profile of a table, and when the next one is due.
CREATE TABLE "table_profile" (
    "workspace_id" UUID NOT NULL,
    "table_id" UUID NOT NULL,
    "taken_at" TIMESTAMPTZ(3),
    "row_count" DOUBLE PRECISION,
    "columns" JSONB NOT NULL DEFAULT '[]',
    "every_hours" INTEGER,
    "next_run_at" TIMESTAMPTZ(3),

    CONSTRAINT "table_profile_pkey" PRIMARY KEY ("workspace_id","table_id")
);
ALTER TABLE "table_profile" ADD CONSTRAINT "table_profile_workspace_id_table_id_fkey"
  FOREIGN KEY ("workspace_id", "table_id") REFERENCES "resource"("workspace_id", "id")
  ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "table_profile" ADD CONSTRAINT "table_profile_every_hours"
  CHECK (("every_hours" IS NULL) = ("next_run_at" IS NULL) AND "every_hours" > 0);
CREATE INDEX "table_profile_due" ON "table_profile"("next_run_at") WHERE "next_run_at" IS NOT NULL;
ALTER TABLE "table_profile" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "table_profile" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);
