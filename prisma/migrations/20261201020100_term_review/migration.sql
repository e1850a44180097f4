ALTER TABLE "resource" ADD COLUMN "formula" TEXT,
  ADD COLUMN "next_review_at" TIMESTAMPTZ(3),
  ADD COLUMN "approved_at" TIMESTAMPTZ(3),
  ADD COLUMN "approved_by_id" UUID;

DROP TRIGGER "resource_version" ON "resource";
CREATE TRIGGER "resource_version" BEFORE UPDATE ON "resource" FOR EACH ROW
  WHEN ((
    OLD.created_at, OLD.updated_at, OLD.kind, OLD.native_type, OLD.title, OLD.title_full,
    OLD.description, OLD.definition, OLD.definition_version, OLD.icon, OLD.url, OLD.parent_id,
    OLD.integration_id, OLD.databuilder_id, OLD.published, OLD.archived, OLD.archived_at,
    OLD.pii, OLD.verified, OLD.stale, OLD.stale_at, OLD.forced_unstale_by_user, OLD.owner_ids,
    OLD.owner_group_ids, OLD.collection_ids, OLD.tag_ids, OLD.team_ids, OLD.subscriber_ids,
    OLD.multiplayer_last_modified_by, OLD.multiplayer_last_modified, OLD.source_ids,
    OLD.external_usage, OLD.external_user_ids, OLD.external_updated_at, OLD.search_metadata,
    OLD.display_metadata, OLD.source_metadata, OLD.created_by_id, OLD.edited_fields,
    OLD.database_name, OLD.schema_name, OLD.table_name, OLD.cluster, OLD.creation_query,
    OLD.row_count, OLD.byte_size, OLD.type, OLD.sort_order, OLD.is_pk, OLD.hidden, OLD.product,
    OLD.group_name, OLD.base_entity_id, OLD.sql, OLD.dialect, OLD.freq, OLD.question_status,
    OLD.question_priority, OLD.answer, OLD.answered_by_id, OLD.assigned_to_id,
    OLD.accepted_answer, OLD.synonyms, OLD.term_status,
    OLD.deprecated_at, OLD.deprecation_note, OLD.successor_id,
    OLD.formula, OLD.next_review_at, OLD.approved_at, OLD.approved_by_id
  ) IS DISTINCT FROM (
    NEW.created_at, NEW.updated_at, NEW.kind, NEW.native_type, NEW.title, NEW.title_full,
    NEW.description, NEW.definition, NEW.definition_version, NEW.icon, NEW.url, NEW.parent_id,
    NEW.integration_id, NEW.databuilder_id, NEW.published, NEW.archived, NEW.archived_at,
    NEW.pii, NEW.verified, NEW.stale, NEW.stale_at, NEW.forced_unstale_by_user, NEW.owner_ids,
    NEW.owner_group_ids, NEW.collection_ids, NEW.tag_ids, NEW.team_ids, NEW.subscriber_ids,
    NEW.multiplayer_last_modified_by, NEW.multiplayer_last_modified, NEW.source_ids,
    NEW.external_usage, NEW.external_user_ids, NEW.external_updated_at, NEW.search_metadata,
    NEW.display_metadata, NEW.source_metadata, NEW.created_by_id, NEW.edited_fields,
    NEW.database_name, NEW.schema_name, NEW.table_name, NEW.cluster, NEW.creation_query,
    NEW.row_count, NEW.byte_size, NEW.type, NEW.sort_order, NEW.is_pk, NEW.hidden, NEW.product,
    NEW.group_name, NEW.base_entity_id, NEW.sql, NEW.dialect, NEW.freq, NEW.question_status,
    NEW.question_priority, NEW.answer, NEW.answered_by_id, NEW.assigned_to_id,
    NEW.accepted_answer, NEW.synonyms, NEW.term_status,
    NEW.deprecated_at, NEW.deprecation_note, NEW.successor_id,
    NEW.formula, NEW.next_review_at, NEW.approved_at, NEW.approved_by_id
  )) EXECUTE FUNCTION "count_version"();

ALTER TABLE "resource" ENABLE ALWAYS TRIGGER "resource_version";
