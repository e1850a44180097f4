-- Concurrently: links are looked up within their workspace, and the chain grows with the log.
CREATE UNIQUE INDEX CONCURRENTLY "audit_seal_workspace_id_sequence_key" ON "audit_seal"("workspace_id", "sequence");
