ALTER TABLE "resource" ADD COLUMN "synonyms" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "term_status" TEXT,
  ADD CONSTRAINT "resource_term_status_known" CHECK ("term_status" IN
    ('draft', 'in_review', 'approved'));

-- Synonyms count as the title does.
CREATE OR REPLACE VIEW "search_source" WITH (security_invoker = true) AS
  SELECT r.workspace_id, r.id AS resource_id,
    search_words(search_humps(left(r.title, 1000)), 'A')
    || CASE WHEN r.synonyms <> '{}' THEN search_words(search_humps(left(array_to_string(r.synonyms, ' , '), 10000)), 'A') ELSE ''::tsvector END
    || search_words(search_humps(right(left(r.title_full, greatest(0, length(r.title_full) - length(r.title) - 1)), 1000)), 'B')
    || search_words(left(r.description, 4000), 'C')
    || CASE WHEN r.kind IN ('table', 'event') THEN search_words(search_humps((SELECT string_agg(c.title, ' ') FROM
        (SELECT left(c.title, 200) AS title FROM resource c WHERE c.workspace_id = r.workspace_id AND c.parent_id = r.id
          AND c.kind IN ('column', 'event_property') AND NOT c.archived LIMIT 2000) c)), 'D') ELSE ''::tsvector END
    || search_words(left(r.definition, 10000), 'D')
    || CASE WHEN r.sql IS NOT NULL OR r.creation_query IS NOT NULL OR r.answer IS NOT NULL
      THEN search_words(concat_ws(' ', left(r.sql, 4000), left(r.creation_query, 4000), left(r.answer, 4000)), 'D') ELSE ''::tsvector END
    -- Most lists are empty: a call for each of them would take nearly half of the time.
    || array_to_tsvector(array_remove(ARRAY['w:' || right(r.workspace_id::text, 8), 'k:' || r.kind,
        CASE WHEN r.published THEN 'p' END, CASE WHEN r.native_type <> '' THEN 'n:' || lower(left(r.native_type, 40)) END,
        'i:' || right(r.integration_id::text, 8)], NULL)
      || CASE WHEN r.source_ids <> '{}' THEN search_marks('i:', r.source_ids) ELSE '{}' END
      || CASE WHEN r.tag_ids <> '{}' THEN search_marks('t:', r.tag_ids) ELSE '{}' END
      || CASE WHEN r.owner_ids <> '{}' THEN search_marks('o:', r.owner_ids) ELSE '{}' END
      || CASE WHEN r.owner_group_ids <> '{}' THEN search_marks('o:', r.owner_group_ids) ELSE '{}' END
      || CASE WHEN r.team_ids <> '{}' THEN search_marks('m:', r.team_ids) ELSE '{}' END) AS doc
  FROM resource r WHERE NOT r.archived;

DROP TRIGGER "resource_search_update" ON "resource";
CREATE TRIGGER "resource_search_update" AFTER UPDATE ON "resource" FOR EACH ROW
  WHEN ((OLD.kind, OLD.title, OLD.title_full, OLD.native_type, OLD.description, OLD.definition, OLD.sql, OLD.creation_query,
      OLD.answer, OLD.synonyms, OLD.archived, OLD.published, OLD.parent_id, OLD.integration_id, OLD.source_ids, OLD.tag_ids, OLD.owner_ids, OLD.owner_group_ids, OLD.team_ids)
    IS DISTINCT FROM (NEW.kind, NEW.title, NEW.title_full, NEW.native_type, NEW.description, NEW.definition, NEW.sql, NEW.creation_query,
      NEW.answer, NEW.synonyms, NEW.archived, NEW.published, NEW.parent_id, NEW.integration_id, NEW.source_ids, NEW.tag_ids, NEW.owner_ids, NEW.owner_group_ids, NEW.team_ids))
  EXECUTE FUNCTION "change_search_document"();

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
    OLD.accepted_answer, OLD.synonyms, OLD.term_status
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
    NEW.accepted_answer, NEW.synonyms, NEW.term_status
  )) EXECUTE FUNCTION "count_version"();

ALTER TABLE "resource"
  ENABLE ALWAYS TRIGGER "resource_search_update",
  ENABLE ALWAYS TRIGGER "resource_version";
