-- Entries of a rare activity are found without passing over all others, the newest first.
CREATE INDEX "audit_log_workspace_id_activity_type_logged_at_id_idx" ON "audit_log"("workspace_id", "activity_type", "logged_at", "id");
