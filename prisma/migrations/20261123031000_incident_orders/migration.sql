-- The orders in which the explorer lists incidents and monitors, however many there are. Unresolved incidents come where
-- the first of all times would.
CREATE INDEX "incident_first_seen_idx" ON "incident" ("workspace_id", "first_seen_at", "id");
CREATE INDEX "incident_resolved_idx"
  ON "incident" ("workspace_id", (coalesce("resolved_at", '-infinity'::timestamptz)), "id");
CREATE INDEX "monitor_name_idx" ON "monitor" ("workspace_id", "name", "id");
