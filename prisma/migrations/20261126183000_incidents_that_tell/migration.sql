-- How fast a monitor adapts, until when a value is expected, and how long it has failed.
ALTER TABLE "monitor" ADD COLUMN "adaptation" TEXT NOT NULL DEFAULT 'normal',
  ADD COLUMN "expected_until" TIMESTAMPTZ(3),
  ADD COLUMN "last_warning" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "failed_runs" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "failed_since" TIMESTAMPTZ(3),
  ADD COLUMN "failed_away" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "failure_notified_at" TIMESTAMPTZ(3),
  ADD CONSTRAINT "monitor_adaptation_known" CHECK ("adaptation" IN ('robust', 'normal', 'agile'));
-- What people set counts in its version.
DROP TRIGGER "monitor_version" ON "monitor";
CREATE TRIGGER "monitor_version" BEFORE UPDATE ON "monitor" FOR EACH ROW
  WHEN ((
    OLD.created_at, OLD.integration_id, OLD.target_id, OLD.metric_type, OLD.metric_config,
    OLD.name, OLD.is_enabled, OLD.schedule_cadence, OLD.schedule_day, OLD.schedule_hour,
    OLD.schedule_frequency, OLD.frequency, OLD.condition_auto_sensitivity,
    OLD.condition_manual_min, OLD.condition_manual_max, OLD.time_zone, OLD.holiday_country,
    OLD.adaptation, OLD.expected_until, OLD.notify_chat_channel, OLD.created_by_id,
    OLD.learns_from, OLD.declared_by_id, OLD.declared_in, OLD.undeclared_at
  ) IS DISTINCT FROM (
    NEW.created_at, NEW.integration_id, NEW.target_id, NEW.metric_type, NEW.metric_config,
    NEW.name, NEW.is_enabled, NEW.schedule_cadence, NEW.schedule_day, NEW.schedule_hour,
    NEW.schedule_frequency, NEW.frequency, NEW.condition_auto_sensitivity,
    NEW.condition_manual_min, NEW.condition_manual_max, NEW.time_zone, NEW.holiday_country,
    NEW.adaptation, NEW.expected_until, NEW.notify_chat_channel, NEW.created_by_id,
    NEW.learns_from, NEW.declared_by_id, NEW.declared_in, NEW.undeclared_at
  )) EXECUTE FUNCTION "count_version"();
-- What is so while a level is new, and the end that it comes to.
ALTER TABLE "incident" ADD COLUMN "standing" TEXT,
  DROP CONSTRAINT "incident_resolve_reason_known",
  ADD CONSTRAINT "incident_resolve_reason_known" CHECK ("resolve_reason" IN
    ('false_positive', 'fixed', 'expected', 'other', 'recovered', 'new_level', 'monitor_disabled',
     'monitor_deleted'));
-- What is notified of: what was called fixed and is not, and a monitor that can't measure.
ALTER TABLE "notification" DROP CONSTRAINT "notification_event_known",
  ADD CONSTRAINT "notification_event_known" CHECK ("event" IN
    ('incident_opened', 'incident_reopened', 'incident_resolved', 'monitor_failed',
     'monitor_recovered', 'resource_changed', 'ping', 'sign_in_linked'));
ALTER TABLE "notification_rule" DROP CONSTRAINT "notification_rule_events_known",
  ADD CONSTRAINT "notification_rule_events_known" CHECK ("events" <@
    ARRAY['incident_opened', 'incident_reopened', 'incident_resolved', 'monitor_failed',
      'monitor_recovered', 'resource_changed']);
ALTER TABLE "webhook" DROP CONSTRAINT "webhook_events_known",
  ADD CONSTRAINT "webhook_events_known" CHECK ("events" <@
    ARRAY['incident_opened', 'incident_reopened', 'incident_resolved', 'monitor_failed',
      'monitor_recovered', 'resource_changed']);
