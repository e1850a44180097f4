-- An import that has proved its foreign keys writes without looking up each, in the role of a replica. Triggers fire there
-- only where they always do.
ALTER TABLE "resource"
  ENABLE ALWAYS TRIGGER "resource_log_insert",
  ENABLE ALWAYS TRIGGER "resource_log_update",
  ENABLE ALWAYS TRIGGER "resource_log_delete",
  ENABLE ALWAYS TRIGGER "resource_version",
  ENABLE ALWAYS TRIGGER "resource_words_insert",
  ENABLE ALWAYS TRIGGER "resource_words_update";
ALTER TABLE "lineage_edge"
  ENABLE ALWAYS TRIGGER "lineage_edge_log_insert",
  ENABLE ALWAYS TRIGGER "lineage_edge_log_update",
  ENABLE ALWAYS TRIGGER "lineage_edge_log_delete",
  ENABLE ALWAYS TRIGGER "lineage_edge_version";

-- What keeps the audit log as it was is not left out either.
ALTER TABLE "audit_log"
  ENABLE ALWAYS TRIGGER "audit_log_kept",
  ENABLE ALWAYS TRIGGER "audit_log_kept_whole";
ALTER TABLE "audit_seal"
  ENABLE ALWAYS TRIGGER "audit_seal_kept",
  ENABLE ALWAYS TRIGGER "audit_seal_kept_whole";
