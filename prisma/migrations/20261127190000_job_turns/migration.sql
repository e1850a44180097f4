-- Jobs are taken in turns: of each workspace and kind the first that is due.
CREATE INDEX "job_turn_idx" ON "job" ("workspace_id", "kind", "priority", "run_at", "id") WHERE "state" = 'queued';
DROP INDEX "job_due_idx";
