-- Times and ids rise as rows are made: an index that rises as well is written at its end, where pages are left full.
-- Read backwards it gives the newest first. That of kinds gives the order by kind, the oldest of each first, or its reverse.
-- The new ones are made first: whoever reads meanwhile waits for no more than the last statements.
CREATE INDEX "resource_kind_created_new" ON "resource" ("workspace_id", "kind", "created_at", "id")
  INCLUDE ("published") WHERE NOT "archived";
CREATE INDEX "resource_created_new" ON "resource" ("workspace_id", "created_at", "id")
  INCLUDE ("published") WHERE NOT "archived";
CREATE INDEX "resource_updated_new" ON "resource" ("workspace_id", "updated_at", "id")
  INCLUDE ("published") WHERE NOT "archived";
CREATE INDEX "resource_integration_created_new" ON "resource" ("workspace_id", "integration_id", "created_at", "id")
  INCLUDE ("published") WHERE NOT "archived";

DROP INDEX "resource_kind_created_idx", "resource_created_idx", "resource_updated_idx", "resource_integration_created_idx";
ALTER INDEX "resource_kind_created_new" RENAME TO "resource_kind_created_idx";
ALTER INDEX "resource_created_new" RENAME TO "resource_created_idx";
ALTER INDEX "resource_updated_new" RENAME TO "resource_updated_idx";
ALTER INDEX "resource_integration_created_new" RENAME TO "resource_integration_created_idx";
