-- One index instead of two over the same columns: every row of an import is written into each.
-- Rows without a key are no duplicates of one another, as before: each null is another.
CREATE UNIQUE INDEX "resource_workspace_id_integration_id_databuilder_id_key"
  ON "resource" ("workspace_id", "integration_id", "databuilder_id");
DROP INDEX "resource_workspace_id_integration_id_databuilder_id_idx";
DROP INDEX "resource_databuilder_key";
