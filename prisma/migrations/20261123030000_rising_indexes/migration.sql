-- Times and ids rise as rows are made: an index that rises as well is written at its end, where pages are left full.
-- Read backwards it gives the newest first. That of kinds gives the order by kind, the oldest of each first, or its reverse.
DROP INDEX "resource_kind_created_idx";
CREATE INDEX "resource_kind_created_idx" ON "resource" ("workspace_id", "kind", "created_at", "id")
  INCLUDE ("published") WHERE NOT "archived";
DROP INDEX "resource_created_idx";
CREATE INDEX "resource_created_idx" ON "resource" ("workspace_id", "created_at", "id")
  INCLUDE ("published") WHERE NOT "archived";
DROP INDEX "resource_updated_idx";
CREATE INDEX "resource_updated_idx" ON "resource" ("workspace_id", "updated_at", "id")
  INCLUDE ("published") WHERE NOT "archived";
DROP INDEX "resource_integration_created_idx";
CREATE INDEX "resource_integration_created_idx" ON "resource" ("workspace_id", "integration_id", "created_at", "id")
  INCLUDE ("published") WHERE NOT "archived";
