-- New resources are logged as well, once for each statement: a remembered count holds until something is logged.
-- Only a statement of a connection that shows every workspace, or is told of none, has to say so of all of them.
CREATE FUNCTION "log_new_resources"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  every CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
  shown uuid := coalesce(nullif(current_setting('headwater.workspace', true), '')::uuid, every);
BEGIN
  INSERT INTO lineage_log (workspace_id, transaction, what, changed_id)
    SELECT w.id, pg_current_xact_id()::text::bigint, 'new', w.id FROM workspace w
      WHERE shown = every OR w.id = shown;
  RETURN NULL;
END $$;

CREATE TRIGGER "resource_log_insert" AFTER INSERT ON "resource"
  FOR EACH STATEMENT EXECUTE FUNCTION "log_new_resources"();

-- A workspace has its log from the beginning, so that nobody has to begin one who only wants to count.
CREATE FUNCTION "begin_log"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lineage_log (workspace_id, seq, transaction, what, changed_id)
    VALUES (NEW.id, 0, 0, 'epoch', gen_random_uuid()) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER "workspace_begin_log" AFTER INSERT ON "workspace"
  FOR EACH ROW EXECUTE FUNCTION "begin_log"();

INSERT INTO lineage_log (workspace_id, seq, transaction, what, changed_id)
  SELECT w.id, 0, 0, 'epoch', gen_random_uuid() FROM workspace w ON CONFLICT DO NOTHING;
