-- People are notified of a sign-in that is linked to their account.
ALTER TABLE "notification" DROP CONSTRAINT "notification_event_known",
  ADD CONSTRAINT "notification_event_known" CHECK ("event" IN
    ('incident_opened', 'incident_resolved', 'resource_changed', 'ping', 'sign_in_linked'));
