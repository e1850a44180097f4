-- GraphQL types these words as enums: nothing else may be stored, or an answer could not be written.
ALTER TABLE "monitor"
  ADD CONSTRAINT "monitor_status_known" CHECK ("status" IN
    ('pending', 'learning', 'normal', 'incident', 'error', 'disabled')),
  ADD CONSTRAINT "monitor_schedule_cadence_known" CHECK ("schedule_cadence" IN
    ('hourly', 'daily', 'weekly', 'monthly')),
  ADD CONSTRAINT "monitor_metric_type_known" CHECK ("metric_type" IN
    ('row_count', 'freshness', 'custom_sql', 'null_percentage', 'unique_percentage', 'cardinality',
     'duplicate_count', 'minimum', 'maximum', 'mean', 'sum', 'stddev', 'zero_percentage',
     'negative_percentage', 'empty_string_percentage', 'average_length', 'job_duration',
     'job_error_rate', 'job_success_rate'));
ALTER TABLE "incident"
  ADD CONSTRAINT "incident_status_known" CHECK ("status" IN ('active', 'acknowledged', 'resolved')),
  ADD CONSTRAINT "incident_severity_known" CHECK ("severity" IN
    ('low', 'medium', 'high', 'critical')),
  ADD CONSTRAINT "incident_resolve_reason_known" CHECK ("resolve_reason" IN
    ('false_positive', 'fixed', 'expected', 'other', 'recovered', 'monitor_disabled',
     'monitor_deleted'));
ALTER TABLE "incident_action"
  ADD CONSTRAINT "incident_action_type_known" CHECK ("type" IN
    ('notification_initial', 'notification_failed', 'acknowledged', 'comment', 'marked_normal',
     'resolved', 'auto_resolved', 'reopened'));
ALTER TABLE "data_test"
  ADD CONSTRAINT "data_test_severity_known" CHECK ("severity" IN ('error', 'warn')),
  ADD CONSTRAINT "data_test_status_known" CHECK ("status" IN
    ('pass', 'warn', 'fail', 'error', 'skipped'));
ALTER TABLE "notification"
  ADD CONSTRAINT "notification_event_known" CHECK ("event" IN
    ('incident_opened', 'incident_resolved', 'resource_changed', 'ping')),
  ADD CONSTRAINT "notification_state_known" CHECK ("state" IN
    ('pending', 'delivered', 'failed', 'skipped')),
  ADD CONSTRAINT "notification_ping_of_webhook" CHECK ("event" <> 'ping' OR "channel" = 'webhook');
ALTER TABLE "notification_rule"
  ADD CONSTRAINT "notification_rule_events_known" CHECK ("events" <@
    ARRAY['incident_opened', 'incident_resolved', 'resource_changed']);
ALTER TABLE "webhook"
  ADD CONSTRAINT "webhook_events_known" CHECK ("events" <@
    ARRAY['incident_opened', 'incident_resolved', 'resource_changed']);
ALTER TABLE "resource"
  ADD CONSTRAINT "resource_question_status_known" CHECK ("question_status" IN
    ('Answered', 'Unanswered')),
  ADD CONSTRAINT "resource_question_priority_known" CHECK ("question_priority" IN
    ('Highest', 'High', 'Medium', 'Low', 'Lowest'));
ALTER TABLE "custom_property"
  ADD CONSTRAINT "custom_property_entity_types_known" CHECK ("entity_types" <@
    ARRAY['all', 'database', 'schema', 'table', 'column', 'dashboard_group', 'dashboard', 'chart',
      'query', 'document', 'question', 'question_reply', 'category', 'event', 'event_property',
      'glossary', 'collection', 'job']);
