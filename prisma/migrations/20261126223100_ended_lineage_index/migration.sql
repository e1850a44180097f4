-- Concurrently: what ended long ago is looked for once a day, over all workspaces.
CREATE INDEX CONCURRENTLY "lineage_edge_ended_idx" ON "lineage_edge" ("valid_to") WHERE "valid_to" IS NOT NULL;
