-- Where the kept log of a workspace begins: the link at this place stays, for the next one to follow on; entries up to it,
-- and links before it, may be deleted. They are in an archive.
CREATE TABLE "audit_cut" (
    "workspace_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "cut_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_cut_pkey" PRIMARY KEY ("workspace_id")
);
CREATE UNIQUE INDEX "audit_cut_workspace_id_position_key" ON "audit_cut"("workspace_id", "position");
ALTER TABLE "audit_cut" ADD CONSTRAINT "audit_cut_workspace_id_position_fkey" FOREIGN KEY ("workspace_id", "position") REFERENCES "audit_seal"("workspace_id", "position") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "audit_cut" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "audit_cut" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);

-- What is younger than a day is not cut, and a cut is not taken back.
CREATE FUNCTION "guard_audit_cut"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.position <= OLD.position THEN
    RAISE EXCEPTION 'A cut of the audit log is not taken back.';
  END IF;
  IF NOT EXISTS (SELECT FROM audit_seal s WHERE s.workspace_id = NEW.workspace_id AND s.position = NEW.position
      AND s.sealed_at < now() - interval '1 day') THEN
    RAISE EXCEPTION 'The audit log is cut only at a link that is older than a day.';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "audit_cut_guard" BEFORE INSERT OR UPDATE ON "audit_cut" FOR EACH ROW
  EXECUTE FUNCTION "guard_audit_cut"();
ALTER TABLE "audit_cut" ENABLE ALWAYS TRIGGER "audit_cut_guard";

CREATE OR REPLACE FUNCTION "keep_audit_log"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_filled boolean;
  shown text := coalesce(current_setting('headwater.workspace', true), '');
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    PERFORM set_config('headwater.workspace', '00000000-0000-0000-0000-000000000000', true);
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', TG_RELID::regclass) INTO is_filled;
    PERFORM set_config('headwater.workspace', shown, true);
    IF NOT is_filled THEN
      RETURN NULL;
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF TG_TABLE_NAME = 'audit_log' THEN
      IF EXISTS (SELECT FROM audit_cut c JOIN audit_seal s ON s.workspace_id = c.workspace_id AND s.position = c.position
          WHERE c.workspace_id = OLD.workspace_id AND OLD.sequence <= s.sequence) THEN
        RETURN OLD;
      END IF;
    ELSIF EXISTS (SELECT FROM audit_cut c WHERE c.workspace_id = OLD.workspace_id AND OLD.sequence <
        (SELECT s.sequence FROM audit_seal s WHERE s.workspace_id = c.workspace_id AND s.position = c.position)) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'Entries of the audit log are kept as they are: % of % is refused.', TG_OP, TG_TABLE_NAME;
END $$;
