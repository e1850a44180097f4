-- What is deleted once it is old: jobs that have ended, and answers that were kept for their Idempotency-Key.
CREATE INDEX "job_completed_idx" ON "job" ("completed_at") WHERE "completed_at" IS NOT NULL;
CREATE INDEX "idempotency_key_created_idx" ON "idempotency_key" ("created_at");
