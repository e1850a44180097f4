-- Each order in which resources are listed is that of an index, also backwards. "published" is in them so that a
-- page far from the start is found without reading rows, for viewers, too.
CREATE INDEX "resource_kind_created_idx" ON "resource" ("workspace_id", "kind", "created_at" DESC, "id" DESC)
  INCLUDE ("published") WHERE NOT "archived";
CREATE INDEX "resource_kind_updated_idx" ON "resource" ("workspace_id", "kind", "updated_at" DESC, "id" DESC)
  INCLUDE ("published") WHERE NOT "archived";
-- An entry of an index is at most 2,704 bytes, a title may be longer.
CREATE INDEX "resource_kind_title_idx" ON "resource" ("workspace_id", "kind", (left("title", 256)), "id")
  INCLUDE ("published") WHERE NOT "archived";
CREATE INDEX "resource_created_idx" ON "resource" ("workspace_id", "created_at" DESC, "id" DESC)
  INCLUDE ("published") WHERE NOT "archived";
CREATE INDEX "resource_updated_idx" ON "resource" ("workspace_id", "updated_at" DESC, "id" DESC)
  INCLUDE ("published") WHERE NOT "archived";
CREATE INDEX "resource_integration_created_idx" ON "resource" ("workspace_id", "integration_id", "created_at" DESC, "id" DESC)
  INCLUDE ("published") WHERE NOT "archived";
CREATE INDEX "resource_used_idx" ON "resource" ("workspace_id", "external_usage" DESC, "id" DESC)
  INCLUDE ("published") WHERE NOT "archived";

-- What these replace.
DROP INDEX "resource_workspace_id_kind_created_at_id_idx";
DROP INDEX "resource_workspace_id_external_usage_id_idx";
