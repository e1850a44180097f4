-- One index instead of six: every row is written into each, most of the lists are empty, and the log
-- of a row is a third shorter with one. It finds by any of its columns as quickly as six did.
CREATE INDEX "resource_lists_idx" ON "resource" USING gin
  ("owner_ids", "owner_group_ids", "collection_ids", "tag_ids", "team_ids", "subscriber_ids");
DROP INDEX "resource_owners_idx";
DROP INDEX "resource_owner_groups_idx";
DROP INDEX "resource_collections_idx";
DROP INDEX "resource_tags_idx";
DROP INDEX "resource_teams_idx";
DROP INDEX "resource_subscribers_idx";
