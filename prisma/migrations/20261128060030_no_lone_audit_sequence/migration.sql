-- Concurrently: the number of an entry is one of its workspace.
DROP INDEX CONCURRENTLY "audit_log_sequence_key";
