-- A webhook may speak the form of another service.
ALTER TABLE "webhook" ADD COLUMN "format" TEXT NOT NULL DEFAULT 'headwater',
  ADD CONSTRAINT "webhook_format_known" CHECK ("format" IN
    ('headwater', 'pagerduty', 'opsgenie', 'teams', 'slack'));
-- It counts in its version.
DROP TRIGGER "webhook_version" ON "webhook";
CREATE TRIGGER "webhook_version" BEFORE UPDATE ON "webhook" FOR EACH ROW
  WHEN ((
    OLD.created_at, OLD.name, OLD.url, OLD.format, OLD.secret, OLD.is_enabled, OLD.disabled_reason,
    OLD.events
  ) IS DISTINCT FROM (
    NEW.created_at, NEW.name, NEW.url, NEW.format, NEW.secret, NEW.is_enabled, NEW.disabled_reason,
    NEW.events
  )) EXECUTE FUNCTION "count_version"();
