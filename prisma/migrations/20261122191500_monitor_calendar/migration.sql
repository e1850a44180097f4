-- The time zone and the holidays that a monitor's learned range follows.
ALTER TABLE "monitor" ADD COLUMN "time_zone" TEXT, ADD COLUMN "holiday_country" TEXT;

-- They count in its version as what else people set.
DROP TRIGGER "monitor_version" ON "monitor";
CREATE TRIGGER "monitor_version" BEFORE UPDATE ON "monitor" FOR EACH ROW
  WHEN ((
    OLD.created_at, OLD.integration_id, OLD.target_id, OLD.metric_type, OLD.metric_config,
    OLD.name, OLD.is_enabled, OLD.schedule_cadence, OLD.schedule_day, OLD.schedule_hour,
    OLD.schedule_frequency, OLD.frequency, OLD.condition_auto_sensitivity,
    OLD.condition_manual_min, OLD.condition_manual_max, OLD.time_zone, OLD.holiday_country,
    OLD.notify_chat_channel, OLD.created_by_id, OLD.learns_from, OLD.declared_by_id,
    OLD.declared_in, OLD.undeclared_at
  ) IS DISTINCT FROM (
    NEW.created_at, NEW.integration_id, NEW.target_id, NEW.metric_type, NEW.metric_config,
    NEW.name, NEW.is_enabled, NEW.schedule_cadence, NEW.schedule_day, NEW.schedule_hour,
    NEW.schedule_frequency, NEW.frequency, NEW.condition_auto_sensitivity,
    NEW.condition_manual_min, NEW.condition_manual_max, NEW.time_zone, NEW.holiday_country,
    NEW.notify_chat_channel, NEW.created_by_id, NEW.learns_from, NEW.declared_by_id,
    NEW.declared_in, NEW.undeclared_at
  )) EXECUTE FUNCTION "count_version"();
