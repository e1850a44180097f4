-- A column that decides about the rows of a table is lineage, too, of another strength than one whose
-- value flows. Edges so far are of values.
ALTER TABLE "lineage_edge"
  ADD COLUMN "strength" TEXT NOT NULL DEFAULT 'DIRECT',
  ADD COLUMN "uses" TEXT[] DEFAULT ARRAY[]::TEXT[];
ALTER TABLE "lineage_edge"
  ADD CONSTRAINT "lineage_edge_strength" CHECK ("strength" IN ('DIRECT', 'INDIRECT'));

-- A column of an incremental model may be made of what it held before.
ALTER TABLE "lineage_edge" DROP CONSTRAINT "lineage_edge_ends_differ";
ALTER TABLE "lineage_edge" ADD CONSTRAINT "lineage_edge_ends_differ"
  CHECK ("source_id" <> "target_id" OR ("level" = 'COLUMN' AND "origin" = 'QUERY'));

CREATE TABLE "table_trace" (
    "workspace_id" UUID NOT NULL,
    "table_id" UUID NOT NULL,
    "traced_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "columns" INTEGER NOT NULL,
    "traced" INTEGER NOT NULL,
    "ambiguous" INTEGER NOT NULL,
    "unresolved" INTEGER NOT NULL,
    "reasons" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "table_trace_pkey" PRIMARY KEY ("workspace_id","table_id")
);
ALTER TABLE "table_trace" ADD CONSTRAINT "table_trace_workspace_id_table_id_fkey"
  FOREIGN KEY ("workspace_id", "table_id") REFERENCES "resource"("workspace_id", "id")
  ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "table_trace" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "table_trace" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);
