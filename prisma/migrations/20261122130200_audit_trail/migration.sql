-- What an entry says of its request, and of what was changed.
ALTER TABLE "audit_log" ADD COLUMN "request_id" TEXT,
ADD COLUMN "key_id" UUID,
ADD COLUMN "changes" JSONB NOT NULL DEFAULT '[]';

-- Entries are numbered as they are written; those there are by their time.
ALTER TABLE "audit_log" ADD COLUMN "sequence" BIGINT;
UPDATE "audit_log" a SET "sequence" = o.number
FROM (
  SELECT "workspace_id", "id", row_number() OVER (ORDER BY "created_at", "logged_at", "id") AS number
  FROM "audit_log"
) o
WHERE o."workspace_id" = a."workspace_id" AND o."id" = a."id";
CREATE SEQUENCE "audit_log_sequence_seq" OWNED BY "audit_log"."sequence";
SELECT setval('audit_log_sequence_seq', max("sequence")) FROM "audit_log" HAVING max("sequence") IS NOT NULL;
ALTER TABLE "audit_log" ALTER COLUMN "sequence" SET NOT NULL,
ALTER COLUMN "sequence" SET DEFAULT nextval('audit_log_sequence_seq');

CREATE UNIQUE INDEX "audit_log_sequence_key" ON "audit_log"("sequence");
CREATE INDEX "audit_log_workspace_id_performer_id_logged_at_idx" ON "audit_log"("workspace_id", "performer_id", "logged_at" DESC);

-- A workspace goes only after its log.
ALTER TABLE "audit_log" DROP CONSTRAINT "audit_log_workspace_id_fkey";
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- CreateTable
CREATE TABLE "audit_seal" (
    "workspace_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "entry_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "sealed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_seal_pkey" PRIMARY KEY ("workspace_id","position")
);
CREATE UNIQUE INDEX "audit_seal_sequence_key" ON "audit_seal"("sequence");
ALTER TABLE "audit_seal" ADD CONSTRAINT "audit_seal_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Both are only added to. An empty table may be truncated: a restore does that before it copies rows in.
CREATE FUNCTION "keep_audit_log"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_filled boolean;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', TG_RELID::regclass) INTO is_filled;
    IF NOT is_filled THEN
      RETURN NULL;
    END IF;
  END IF;
  RAISE EXCEPTION 'Entries of the audit log are kept as they are: % of % is refused.', TG_OP, TG_TABLE_NAME;
END $$;

CREATE TRIGGER "audit_log_kept" BEFORE UPDATE OR DELETE ON "audit_log" FOR EACH ROW
  EXECUTE FUNCTION "keep_audit_log"();
CREATE TRIGGER "audit_log_kept_whole" BEFORE TRUNCATE ON "audit_log" FOR EACH STATEMENT
  EXECUTE FUNCTION "keep_audit_log"();
CREATE TRIGGER "audit_seal_kept" BEFORE UPDATE OR DELETE ON "audit_seal" FOR EACH ROW
  EXECUTE FUNCTION "keep_audit_log"();
CREATE TRIGGER "audit_seal_kept_whole" BEFORE TRUNCATE ON "audit_seal" FOR EACH STATEMENT
  EXECUTE FUNCTION "keep_audit_log"();
ALTER TABLE "audit_log" ENABLE ALWAYS TRIGGER "audit_log_kept";
ALTER TABLE "audit_log" ENABLE ALWAYS TRIGGER "audit_log_kept_whole";
ALTER TABLE "audit_seal" ENABLE ALWAYS TRIGGER "audit_seal_kept";
ALTER TABLE "audit_seal" ENABLE ALWAYS TRIGGER "audit_seal_kept_whole";
