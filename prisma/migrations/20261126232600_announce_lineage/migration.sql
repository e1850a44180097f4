-- Whoever changes lineage announces it, in whatever way, for those who subscribed to the lineage of something. Equal
-- announcements of one transaction are one, and that an edge which ended is forgotten is no change.
CREATE OR REPLACE FUNCTION "log_edges"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  most CONSTANT integer := 2000;
BEGIN
  IF (SELECT count(*) FROM (
      SELECT FROM changed WHERE TG_OP <> 'DELETE' OR valid_to IS NULL LIMIT most + 1) c) > most THEN
    INSERT INTO lineage_log (workspace_id, transaction, what, changed_id)
      SELECT DISTINCT c.workspace_id, pg_current_xact_id()::text::bigint, 'all', c.workspace_id FROM changed c
        WHERE TG_OP <> 'DELETE' OR c.valid_to IS NULL;
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
