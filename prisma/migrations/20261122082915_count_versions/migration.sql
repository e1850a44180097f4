-- At most one reply is the accepted answer of a question. Of several that were accepted at once, the one
-- whose words the question has stays, else the one that was accepted last.
UPDATE "resource" r SET "accepted_answer" = false
FROM (
  SELECT a."workspace_id", a."id", row_number() OVER (
    PARTITION BY a."workspace_id", a."parent_id"
    ORDER BY (a."definition" = q."answer") DESC NULLS LAST, a."updated_at" DESC, a."id"
  ) AS place
  FROM "resource" a
  JOIN "resource" q ON q."workspace_id" = a."workspace_id" AND q."id" = a."parent_id"
  WHERE a."accepted_answer"
) one
WHERE r."workspace_id" = one."workspace_id" AND r."id" = one."id" AND one.place > 1;

CREATE UNIQUE INDEX "resource_accepted_answer_key" ON "resource" ("workspace_id", "parent_id")
  WHERE "accepted_answer";

-- Votes and reactions that came at once were summed up without each other: counted anew.
UPDATE "resource" r SET "votes_sum" = counted.sum
FROM (
  SELECT r."workspace_id", r."id", coalesce(sum(v."value"), 0)::integer AS sum
  FROM "resource" r
  LEFT JOIN "vote" v ON v."workspace_id" = r."workspace_id" AND v."resource_id" = r."id"
  WHERE r."kind" IN ('question', 'question_reply')
  GROUP BY r."workspace_id", r."id"
) counted
WHERE r."workspace_id" = counted."workspace_id" AND r."id" = counted."id"
  AND r."votes_sum" <> counted.sum;

UPDATE "resource" r SET "reactions" = counted.emojis
FROM (
  SELECT r."workspace_id", r."id", array(
    SELECT x."emoji" FROM "reaction" x
    WHERE x."workspace_id" = r."workspace_id" AND x."resource_id" = r."id"
    GROUP BY x."emoji" ORDER BY min(x."created_at"), x."emoji"
  ) AS emojis
  FROM "resource" r WHERE r."kind" IN ('question', 'question_reply')
) counted
WHERE r."workspace_id" = counted."workspace_id" AND r."id" = counted."id"
  AND r."reactions" <> counted.emojis;

-- Each change of a row counts its version up, whoever writes it and with whatever statement.
CREATE FUNCTION "count_version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;

CREATE TRIGGER "custom_property_version" BEFORE UPDATE ON "custom_property" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "count_version"();
CREATE TRIGGER "lineage_edge_version" BEFORE UPDATE ON "lineage_edge" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "count_version"();
CREATE TRIGGER "notification_rule_version" BEFORE UPDATE ON "notification_rule" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "count_version"();
CREATE TRIGGER "tag_version" BEFORE UPDATE ON "tag" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "count_version"();
CREATE TRIGGER "team_version" BEFORE UPDATE ON "team" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "count_version"();
CREATE TRIGGER "user_account_version" BEFORE UPDATE ON "user_account" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "count_version"();
CREATE TRIGGER "user_group_version" BEFORE UPDATE ON "user_group" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "count_version"();

-- What people do with a resource without changing it is no change of it: open, bookmark, vote, react.
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
    OLD.accepted_answer
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
    NEW.accepted_answer
  )) EXECUTE FUNCTION "count_version"();

-- Nor is what runs leave on a monitor, when it runs next,
CREATE TRIGGER "monitor_version" BEFORE UPDATE ON "monitor" FOR EACH ROW
  WHEN ((
    OLD.created_at, OLD.integration_id, OLD.target_id, OLD.metric_type, OLD.metric_config,
    OLD.name, OLD.is_enabled, OLD.schedule_cadence, OLD.schedule_day, OLD.schedule_hour,
    OLD.schedule_frequency, OLD.frequency, OLD.condition_auto_sensitivity,
    OLD.condition_manual_min, OLD.condition_manual_max, OLD.notify_chat_channel,
    OLD.created_by_id, OLD.learns_from, OLD.declared_by_id, OLD.declared_in, OLD.undeclared_at
  ) IS DISTINCT FROM (
    NEW.created_at, NEW.integration_id, NEW.target_id, NEW.metric_type, NEW.metric_config,
    NEW.name, NEW.is_enabled, NEW.schedule_cadence, NEW.schedule_day, NEW.schedule_hour,
    NEW.schedule_frequency, NEW.frequency, NEW.condition_auto_sensitivity,
    NEW.condition_manual_min, NEW.condition_manual_max, NEW.notify_chat_channel,
    NEW.created_by_id, NEW.learns_from, NEW.declared_by_id, NEW.declared_in, NEW.undeclared_at
  )) EXECUTE FUNCTION "count_version"();

-- what further measurements leave on an incident,
CREATE TRIGGER "incident_version" BEFORE UPDATE ON "incident" FOR EACH ROW
  WHEN ((
    OLD.created_at, OLD.monitor_id, OLD.target_id, OLD.name, OLD.summary, OLD.status,
    OLD.severity, OLD.assignee_id, OLD.resolve_reason, OLD.first_seen_at, OLD.acknowledged_at,
    OLD.resolved_at
  ) IS DISTINCT FROM (
    NEW.created_at, NEW.monitor_id, NEW.target_id, NEW.name, NEW.summary, NEW.status,
    NEW.severity, NEW.assignee_id, NEW.resolve_reason, NEW.first_seen_at, NEW.acknowledged_at,
    NEW.resolved_at
  )) EXECUTE FUNCTION "count_version"();

-- when an integration is synced,
CREATE TRIGGER "integration_version" BEFORE UPDATE ON "integration" FOR EACH ROW
  WHEN ((
    OLD.created_at, OLD.name, OLD.type, OLD.credentials, OLD.ssh_tunnel, OLD.execute_access,
    OLD.scheduled_extractions_hour, OLD.scheduled_extractions_frequency, OLD.properties,
    OLD.preview_access_users, OLD.preview_access_roles, OLD.preview_access_groups, OLD.team_ids
  ) IS DISTINCT FROM (
    NEW.created_at, NEW.name, NEW.type, NEW.credentials, NEW.ssh_tunnel, NEW.execute_access,
    NEW.scheduled_extractions_hour, NEW.scheduled_extractions_frequency, NEW.properties,
    NEW.preview_access_users, NEW.preview_access_roles, NEW.preview_access_groups, NEW.team_ids
  )) EXECUTE FUNCTION "count_version"();

-- and how deliveries to a webhook fare.
CREATE TRIGGER "webhook_version" BEFORE UPDATE ON "webhook" FOR EACH ROW
  WHEN ((
    OLD.created_at, OLD.name, OLD.url, OLD.secret, OLD.is_enabled, OLD.disabled_reason,
    OLD.events
  ) IS DISTINCT FROM (
    NEW.created_at, NEW.name, NEW.url, NEW.secret, NEW.is_enabled, NEW.disabled_reason,
    NEW.events
  )) EXECUTE FUNCTION "count_version"();
