-- A statement that changes many edges still says "all", which a process of an earlier version reads the whole graph
-- for; its rows now name the edges as well, a thousand each, for those that take over what has changed.
ALTER TABLE "lineage_log" ADD COLUMN "changed_ids" UUID[];

CREATE OR REPLACE FUNCTION "log_edges"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  most CONSTANT integer := 2000;
  in_a_row CONSTANT integer := 1000;
  is_many boolean := (SELECT count(*) FROM (
    SELECT FROM changed WHERE TG_OP <> 'DELETE' OR valid_to IS NULL LIMIT most + 1) c) > most;
BEGIN
  IF is_many THEN
    INSERT INTO lineage_log (workspace_id, transaction, what, changed_id, changed_ids)
      SELECT n.workspace_id, pg_current_xact_id()::text::bigint, 'all', n.workspace_id, array_agg(n.id) FROM (
        SELECT c.workspace_id, c.id, row_number() OVER () / in_a_row AS part FROM changed c
          WHERE TG_OP <> 'DELETE' OR c.valid_to IS NULL) n
        GROUP BY n.workspace_id, n.part;
  ELSE
    INSERT INTO lineage_log (workspace_id, transaction, what, changed_id, source_id)
      SELECT c.workspace_id, pg_current_xact_id()::text::bigint, 'edge', c.id, c.source_id FROM changed c
        WHERE TG_OP <> 'DELETE' OR c.valid_to IS NULL;
  END IF;
  IF EXISTS (SELECT FROM changed WHERE TG_OP <> 'DELETE' OR valid_to IS NULL) THEN
    PERFORM pg_notify('headwater', 'lineage');
  END IF;
  RETURN NULL;
END $$;
