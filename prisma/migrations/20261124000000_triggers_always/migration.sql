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
