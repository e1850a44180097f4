-- Concurrently: entries are numbered within their workspace, and the log grows.
CREATE UNIQUE INDEX CONCURRENTLY "audit_log_workspace_id_sequence_key" ON "audit_log"("workspace_id", "sequence");
