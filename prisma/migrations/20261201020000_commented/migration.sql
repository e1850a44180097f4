-- People are notified where a text mentions them.
ALTER TABLE "notification" DROP CONSTRAINT "notification_event_known",
  ADD CONSTRAINT "notification_event_known" CHECK ("event" IN
    ('incident_opened', 'incident_reopened', 'incident_resolved', 'monitor_failed',
     'monitor_recovered', 'resource_changed', 'incident_acknowledged', 'job_succeeded', 'job_failed',
     'question_asked', 'question_answered', 'lineage_changed', 'ping', 'sign_in_linked', 'mentioned', 'commented'));
