-- What the outbox still holds is counted at each scrape of the metrics.
CREATE INDEX "notification_pending_idx" ON "notification" ("channel", "created_at")
  WHERE "state" = 'pending';
