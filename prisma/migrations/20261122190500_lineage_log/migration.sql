-- What changed of the lineage graph, for processes that hold it in memory. Who wrote a row is told from
-- snapshots, so that no order of commits loses one. A crash empties the table: who held the graph sees by the
-- missing epoch that it has to read it anew.
CREATE UNLOGGED TABLE "lineage_log" (
    "workspace_id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "transaction" BIGINT NOT NULL,
    "what" TEXT NOT NULL,
    "changed_id" UUID NOT NULL,
    "source_id" UUID,
    "logged_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lineage_log_pkey" PRIMARY KEY ("workspace_id","seq")
);

CREATE INDEX "lineage_log_workspace_id_transaction_idx" ON "lineage_log"("workspace_id", "transaction");
CREATE INDEX "lineage_log_logged_at_idx" ON "lineage_log"("logged_at");

ALTER TABLE "lineage_log" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "lineage_log" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);

-- A statement that changes more edges than this says "all" once for each workspace.
CREATE FUNCTION "log_edges"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  most CONSTANT integer := 2000;
BEGIN
  IF (SELECT count(*) FROM (SELECT FROM changed LIMIT most + 1) c) > most THEN
    INSERT INTO lineage_log (workspace_id, transaction, what, changed_id)
      SELECT DISTINCT c.workspace_id, pg_current_xact_id()::text::bigint, 'all', c.workspace_id FROM changed c;
  ELSE
    INSERT INTO lineage_log (workspace_id, transaction, what, changed_id, source_id)
      SELECT c.workspace_id, pg_current_xact_id()::text::bigint, 'edge', c.id, c.source_id FROM changed c;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "lineage_edge_log_insert" AFTER INSERT ON "lineage_edge"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "log_edges"();
CREATE TRIGGER "lineage_edge_log_update" AFTER UPDATE ON "lineage_edge"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "log_edges"();
CREATE TRIGGER "lineage_edge_log_delete" AFTER DELETE ON "lineage_edge"
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "log_edges"();

-- Of a resource counts what decides who sees it. A new one has no edges yet.
CREATE FUNCTION "log_resource"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lineage_log (workspace_id, transaction, what, changed_id)
    VALUES (OLD.workspace_id, pg_current_xact_id()::text::bigint, 'resource', OLD.id);
  RETURN NULL;
END $$;

CREATE TRIGGER "resource_log_update" AFTER UPDATE ON "resource" FOR EACH ROW
  WHEN ((OLD.kind, OLD.published, OLD.archived, OLD.team_ids)
    IS DISTINCT FROM (NEW.kind, NEW.published, NEW.archived, NEW.team_ids))
  EXECUTE FUNCTION "log_resource"();
CREATE TRIGGER "resource_log_delete" AFTER DELETE ON "resource" FOR EACH ROW
  EXECUTE FUNCTION "log_resource"();
