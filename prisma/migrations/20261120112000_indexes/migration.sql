-- What Prisma has no words for: partial and expression indexes, GIN, and checks.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Names that people type are the same in capitals and small letters.
CREATE UNIQUE INDEX "user_account_email_key" ON "user_account" ("workspace_id", lower("email"));
CREATE UNIQUE INDEX "tag_name_key" ON "tag" ("workspace_id", lower("name"));

-- A workspace has one default team.
CREATE UNIQUE INDEX "team_default_key" ON "team" ("workspace_id") WHERE "is_default_team";

-- An integration names a resource once.
CREATE UNIQUE INDEX "resource_databuilder_key"
  ON "resource" ("workspace_id", "integration_id", "databuilder_id")
  WHERE "databuilder_id" IS NOT NULL;

-- "Which resources have this tag?" and its like.
CREATE INDEX "resource_owners_idx" ON "resource" USING gin ("owner_ids");
CREATE INDEX "resource_owner_groups_idx" ON "resource" USING gin ("owner_group_ids");
CREATE INDEX "resource_collections_idx" ON "resource" USING gin ("collection_ids");
CREATE INDEX "resource_tags_idx" ON "resource" USING gin ("tag_ids");
CREATE INDEX "resource_teams_idx" ON "resource" USING gin ("team_ids");
CREATE INDEX "resource_subscribers_idx" ON "resource" USING gin ("subscriber_ids");

-- Search: exact and prefix titles, titles with typos, words of the texts. The cuts keep a row within
-- what PostgreSQL can index: 2,704 bytes for a key, 1 MB for the words of a text.
CREATE INDEX "resource_title_idx"
  ON "resource" ("workspace_id", left(lower("title"), 256) COLLATE "C")
  WHERE NOT "archived";
CREATE INDEX "resource_title_trigram_idx"
  ON "resource" USING gin (lower("title") gin_trgm_ops)
  WHERE NOT "archived";
CREATE INDEX "resource_description_idx"
  ON "resource" USING gin (to_tsvector('simple', left("description", 100000)))
  WHERE NOT "archived" AND "description" IS NOT NULL;
CREATE INDEX "resource_definition_idx"
  ON "resource" USING gin (to_tsvector('simple', left("definition", 100000)))
  WHERE NOT "archived" AND "definition" <> '';

-- An origin states an edge once at a time. Null integrations must count as equal, hence the zeros.
CREATE UNIQUE INDEX "lineage_edge_current_key"
  ON "lineage_edge" (
    "workspace_id", "source_id", "target_id", "origin",
    coalesce("integration_id", '00000000-0000-0000-0000-000000000000')
  )
  WHERE "valid_to" IS NULL;
CREATE INDEX "lineage_edge_stated_idx"
  ON "lineage_edge" ("workspace_id", "created_at" DESC, "id")
  WHERE "valid_to" IS NULL AND NOT "implied";
ALTER TABLE "lineage_edge"
  ADD CONSTRAINT "lineage_edge_ends_differ" CHECK ("source_id" <> "target_id");

-- A monitor has one open incident at most.
CREATE UNIQUE INDEX "incident_open_key" ON "incident" ("workspace_id", "monitor_id")
  WHERE "status" <> 'resolved';

-- The same work is queued once; workers look for what is due and for leases that ran out.
CREATE UNIQUE INDEX "job_dedupe_key" ON "job" ("workspace_id", "dedupe_key")
  WHERE "dedupe_key" IS NOT NULL AND "state" IN ('queued', 'running');
CREATE INDEX "job_due_idx" ON "job" ("priority", "run_at", "id") WHERE "state" = 'queued';
CREATE INDEX "job_lease_idx" ON "job" ("lease_until") WHERE "state" = 'running';

CREATE INDEX "monitor_due_idx" ON "monitor" ("next_run_at") WHERE "is_enabled";
