-- Every edge of an import is written into each index, so there are none that another one makes up for.

-- The id of an edge's UPSTREAM entry is made from that of the edge. Edges of before keep the one that they have.
ALTER TABLE "lineage_edge" ALTER COLUMN "upstream_id" DROP DEFAULT, ALTER COLUMN "upstream_id" DROP NOT NULL;
CREATE UNIQUE INDEX "lineage_edge_upstream_key" ON "lineage_edge" ("workspace_id", "upstream_id")
  WHERE "upstream_id" IS NOT NULL;
DROP INDEX "lineage_edge_workspace_id_upstream_id_key";

-- An origin states an edge once at a time: those that have ended are told apart by their ids. So the index has all
-- edges of a source as well.
CREATE UNIQUE INDEX "lineage_edge_current_new"
  ON "lineage_edge" (
    "workspace_id", "source_id", "target_id", "origin",
    (coalesce("integration_id", '00000000-0000-0000-0000-000000000000'::uuid)),
    (CASE WHEN "valid_to" IS NULL THEN '00000000-0000-0000-0000-000000000000'::uuid ELSE "id" END)
  );
DROP INDEX "lineage_edge_current_key", "lineage_edge_workspace_id_source_id_idx";
ALTER INDEX "lineage_edge_current_new" RENAME TO "lineage_edge_current_key";
