-- The last orders of resources that had no index. Rows without a time of their source come where the first of all
-- times would.
CREATE INDEX "resource_title_full_idx" ON "resource" ("workspace_id", (left("title_full", 256)), "id")
  INCLUDE ("published") WHERE NOT "archived";
CREATE INDEX "resource_total_usage_idx" ON "resource" ("workspace_id", (("external_usage" + "internal_usage")) DESC, "id" DESC)
  INCLUDE ("published") WHERE NOT "archived";
CREATE INDEX "resource_external_updated_idx"
  ON "resource" ("workspace_id", (coalesce("external_updated_at", '-infinity'::timestamptz)) DESC, "id" DESC)
  INCLUDE ("published") WHERE NOT "archived";
