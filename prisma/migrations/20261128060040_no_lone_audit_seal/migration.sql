-- Concurrently: the number of a link is one of its workspace.
DROP INDEX CONCURRENTLY "audit_seal_sequence_key";
