-- CreateTable
CREATE TABLE "schema_baseline" (
    "workspace_id" UUID NOT NULL,
    "monitor_id" UUID NOT NULL,
    "table_id" UUID NOT NULL,
    "columns" JSONB NOT NULL,

    CONSTRAINT "schema_baseline_pkey" PRIMARY KEY ("workspace_id","monitor_id","table_id")
);

-- CreateIndex
CREATE INDEX "schema_baseline_workspace_id_table_id_idx" ON "schema_baseline"("workspace_id", "table_id");

-- AddForeignKey
ALTER TABLE "schema_baseline" ADD CONSTRAINT "schema_baseline_workspace_id_monitor_id_fkey" FOREIGN KEY ("workspace_id", "monitor_id") REFERENCES "monitor"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schema_baseline" ADD CONSTRAINT "schema_baseline_workspace_id_table_id_fkey" FOREIGN KEY ("workspace_id", "table_id") REFERENCES "resource"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "schema_baseline" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "schema_baseline" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);

-- A monitor has one open incident at most on each of its tables; all but those of schema changes have one target.
DROP INDEX "incident_open_key";
CREATE UNIQUE INDEX "incident_open_key" ON "incident" ("workspace_id", "monitor_id", "target_id")
  WHERE "status" <> 'resolved';

ALTER TABLE "monitor" DROP CONSTRAINT "monitor_metric_type_known",
  ADD CONSTRAINT "monitor_metric_type_known" CHECK ((metric_type = ANY (ARRAY['row_count'::text, 'freshness'::text, 'custom_sql'::text, 'null_percentage'::text, 'unique_percentage'::text, 'cardinality'::text, 'duplicate_count'::text, 'minimum'::text, 'maximum'::text, 'mean'::text, 'sum'::text, 'stddev'::text, 'zero_percentage'::text, 'negative_percentage'::text, 'empty_string_percentage'::text, 'average_length'::text, 'true_percentage'::text, 'newest_age'::text, 'oldest_age'::text, 'accepted_values'::text, 'pattern'::text, 'references'::text, 'unique_key'::text, 'failing_tests'::text, 'schema_changes'::text, 'job_duration'::text, 'job_error_rate'::text, 'job_success_rate'::text])));
