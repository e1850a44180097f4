-- CreateTable
CREATE TABLE "setting" (
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "setting_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "workspace" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_account" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "email" TEXT NOT NULL,
    "first_name" TEXT NOT NULL DEFAULT '',
    "last_name" TEXT NOT NULL DEFAULT '',
    "role" TEXT NOT NULL DEFAULT 'viewer',
    "title" TEXT,
    "avatar_url" TEXT,
    "archived" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "user_account_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "user_group" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "member_ids" UUID[] DEFAULT ARRAY[]::UUID[],

    CONSTRAINT "user_group_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "team" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "name" TEXT NOT NULL,
    "icon" TEXT,
    "type" TEXT NOT NULL DEFAULT 'OPEN',
    "description" TEXT NOT NULL DEFAULT '',
    "sidebar_settings" JSONB NOT NULL DEFAULT '{}',
    "archived" BOOLEAN NOT NULL DEFAULT false,
    "is_default_team" BOOLEAN NOT NULL DEFAULT false,
    "onboarding_complete" BOOLEAN NOT NULL DEFAULT false,
    "member_ids" UUID[] DEFAULT ARRAY[]::UUID[],

    CONSTRAINT "team_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "tag" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "color" TEXT NOT NULL DEFAULT '#4299e1',
    "icon" TEXT,
    "integration_id" UUID,

    CONSTRAINT "tag_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "custom_property" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "entity_types" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "value_type" TEXT NOT NULL DEFAULT 'string',
    "options" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "custom_property_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "custom_property_value" (
    "workspace_id" UUID NOT NULL,
    "property_id" UUID NOT NULL,
    "resource_id" UUID NOT NULL,
    "value" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "custom_property_value_pkey" PRIMARY KEY ("workspace_id","resource_id","property_id")
);

-- CreateTable
CREATE TABLE "integration" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "credentials" TEXT,
    "ssh_tunnel" TEXT,
    "execute_access" UUID[] DEFAULT ARRAY[]::UUID[],
    "scheduled_extractions_hour" INTEGER,
    "scheduled_extractions_frequency" INTEGER,
    "scheduled_extractions_next_run" TIMESTAMPTZ(3),
    "scheduled_extractions_last_run" TIMESTAMPTZ(3),
    "properties" JSONB NOT NULL DEFAULT '{}',
    "preview_access_users" UUID[] DEFAULT ARRAY[]::UUID[],
    "preview_access_roles" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "preview_access_groups" UUID[] DEFAULT ARRAY[]::UUID[],
    "team_ids" UUID[] DEFAULT ARRAY[]::UUID[],

    CONSTRAINT "integration_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "resource" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "kind" TEXT NOT NULL,
    "native_type" TEXT,
    "title" TEXT NOT NULL,
    "title_full" TEXT NOT NULL,
    "description" TEXT,
    "definition" TEXT NOT NULL DEFAULT '',
    "definition_version" INTEGER NOT NULL DEFAULT 1,
    "icon" TEXT,
    "url" TEXT,
    "parent_id" UUID,
    "integration_id" UUID,
    "databuilder_id" TEXT,
    "published" BOOLEAN NOT NULL DEFAULT false,
    "archived" BOOLEAN NOT NULL DEFAULT false,
    "archived_at" TIMESTAMPTZ(3),
    "pii" BOOLEAN NOT NULL DEFAULT false,
    "verified" BOOLEAN NOT NULL DEFAULT false,
    "stale" BOOLEAN NOT NULL DEFAULT false,
    "stale_at" TIMESTAMPTZ(3),
    "forced_unstale_by_user" BOOLEAN NOT NULL DEFAULT false,
    "owner_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "owner_group_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "collection_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "tag_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "team_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "subscriber_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "bookmarked_by_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "multiplayer_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "multiplayer_last_modified_by" UUID,
    "multiplayer_last_modified" TIMESTAMPTZ(3),
    "source_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "internal_usage" INTEGER NOT NULL DEFAULT 0,
    "internal_user_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "external_usage" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "external_user_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "external_updated_at" TIMESTAMPTZ(3),
    "search_metadata" JSONB NOT NULL DEFAULT '{}',
    "display_metadata" JSONB NOT NULL DEFAULT '{}',
    "source_metadata" JSONB NOT NULL DEFAULT '{}',
    "created_by_id" UUID,
    "edited_fields" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "database_name" TEXT,
    "schema_name" TEXT,
    "table_name" TEXT,
    "cluster" TEXT,
    "creation_query" TEXT,
    "row_count" DOUBLE PRECISION,
    "byte_size" DOUBLE PRECISION,
    "type" TEXT,
    "sort_order" INTEGER,
    "is_pk" BOOLEAN NOT NULL DEFAULT false,
    "hidden" BOOLEAN NOT NULL DEFAULT false,
    "product" TEXT,
    "group_name" TEXT,
    "base_entity_id" UUID,
    "sql" TEXT,
    "dialect" TEXT,
    "freq" INTEGER NOT NULL DEFAULT 0,
    "question_status" TEXT,
    "question_priority" TEXT,
    "answer" TEXT,
    "answered_by_id" UUID,
    "assigned_to_id" UUID,
    "reactions" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "votes_sum" INTEGER NOT NULL DEFAULT 0,
    "accepted_answer" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "resource_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "resource_version" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "resource_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "definition" TEXT NOT NULL,
    "author_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "resource_version_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "vote" (
    "workspace_id" UUID NOT NULL,
    "resource_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "value" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "vote_pkey" PRIMARY KEY ("workspace_id","resource_id","user_id")
);

-- CreateTable
CREATE TABLE "reaction" (
    "workspace_id" UUID NOT NULL,
    "resource_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "emoji" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reaction_pkey" PRIMARY KEY ("workspace_id","resource_id","user_id","emoji")
);

-- CreateTable
CREATE TABLE "usage_day" (
    "workspace_id" UUID NOT NULL,
    "resource_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "internal" INTEGER NOT NULL DEFAULT 0,
    "external" DOUBLE PRECISION NOT NULL DEFAULT 0,

    CONSTRAINT "usage_day_pkey" PRIMARY KEY ("workspace_id","resource_id","day")
);

-- CreateTable
CREATE TABLE "lineage_edge" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "upstream_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "source_id" UUID NOT NULL,
    "target_id" UUID NOT NULL,
    "level" TEXT NOT NULL DEFAULT 'TABLE',
    "origin" TEXT NOT NULL,
    "implied" BOOLEAN NOT NULL DEFAULT false,
    "integration_id" UUID,
    "query_id" UUID,
    "created_by_id" UUID,
    "valid_from" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "valid_to" TIMESTAMPTZ(3),

    CONSTRAINT "lineage_edge_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "data_test" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "integration_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "test_kind" TEXT,
    "resource_id" UUID,
    "column_id" UUID,
    "severity" TEXT NOT NULL DEFAULT 'error',
    "status" TEXT,
    "failures" INTEGER,
    "message" TEXT,
    "last_run_at" TIMESTAMPTZ(3),
    "stale" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "data_test_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "run_result" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "integration_id" UUID NOT NULL,
    "invocation_id" TEXT NOT NULL,
    "node_key" TEXT NOT NULL,
    "resource_id" UUID,
    "data_test_id" UUID,
    "status" TEXT NOT NULL,
    "execution_seconds" DOUBLE PRECISION,
    "failures" INTEGER,
    "message" TEXT,
    "completed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "run_result_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "monitor" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "integration_id" UUID,
    "target_id" UUID NOT NULL,
    "metric_type" TEXT NOT NULL,
    "metric_config" JSONB NOT NULL DEFAULT '{}',
    "name" TEXT NOT NULL,
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "schedule_cadence" TEXT NOT NULL DEFAULT 'daily',
    "schedule_day" INTEGER NOT NULL DEFAULT 0,
    "schedule_hour" INTEGER NOT NULL DEFAULT 0,
    "schedule_frequency" INTEGER NOT NULL DEFAULT 1,
    "frequency" INTEGER NOT NULL DEFAULT 24,
    "condition_auto_sensitivity" INTEGER,
    "condition_manual_min" DOUBLE PRECISION,
    "condition_manual_max" DOUBLE PRECISION,
    "notify_chat_channel" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "last_attempted_at" TIMESTAMPTZ(3),
    "last_success_at" TIMESTAMPTZ(3),
    "last_error_at" TIMESTAMPTZ(3),
    "last_error_message" TEXT NOT NULL DEFAULT '',
    "last_measurement_id" UUID,
    "last_measurement_value" DOUBLE PRECISION,
    "last_incident_id" UUID,
    "next_run_at" TIMESTAMPTZ(3),
    "created_by_id" UUID,

    CONSTRAINT "monitor_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "measurement" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "monitor_id" UUID NOT NULL,
    "incident_id" UUID,
    "incident_metadata" TEXT,
    "value" DOUBLE PRECISION NOT NULL,
    "upper_threshold" DOUBLE PRECISION,
    "lower_threshold" DOUBLE PRECISION,
    "marked_normal" BOOLEAN NOT NULL DEFAULT false,
    "explanation" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "measurement_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "incident" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "monitor_id" UUID NOT NULL,
    "target_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "value" DOUBLE PRECISION NOT NULL,
    "severity" TEXT NOT NULL DEFAULT 'medium',
    "assignee_id" UUID,
    "resolve_reason" TEXT,
    "good_runs" INTEGER NOT NULL DEFAULT 0,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_notified_at" TIMESTAMPTZ(3),
    "acknowledged_at" TIMESTAMPTZ(3),
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "incident_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "incident_action" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "incident_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "user_id" UUID,
    "user_name" TEXT NOT NULL DEFAULT '',
    "comment" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "incident_action_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "parent_id" UUID,
    "activity_type" TEXT NOT NULL,
    "performer_id" UUID,
    "performer_type" TEXT NOT NULL,
    "performer_metadata" JSONB NOT NULL DEFAULT '{}',
    "resource_id" UUID,
    "resource_type" TEXT,
    "resource_metadata" JSONB NOT NULL DEFAULT '{}',
    "related_resource_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "related_resource_type" TEXT,
    "event_blocks" JSONB NOT NULL DEFAULT '[]',
    "version_history_id" UUID,
    "is_legacy" BOOLEAN NOT NULL DEFAULT false,
    "logged_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "job" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "kind" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "user_id" UUID,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "priority" INTEGER NOT NULL DEFAULT 100,
    "dedupe_key" TEXT,
    "payload" JSONB NOT NULL DEFAULT '{}',
    "result" JSONB,
    "run_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "max_attempts" INTEGER NOT NULL DEFAULT 5,
    "lease_owner" TEXT,
    "lease_token" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "logs" TEXT NOT NULL DEFAULT '',
    "progress_step" TEXT,
    "progress_done" INTEGER NOT NULL DEFAULT 0,
    "progress_total" INTEGER,
    "has_artifact" BOOLEAN NOT NULL DEFAULT false,
    "cancel_requested" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "job_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("workspace_id","user_id","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_account_id_key" ON "user_account"("id");

-- CreateIndex
CREATE UNIQUE INDEX "user_group_id_key" ON "user_group"("id");

-- CreateIndex
CREATE UNIQUE INDEX "user_group_workspace_id_name_key" ON "user_group"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_workspace_id_user_id_idx" ON "api_key"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "team_id_key" ON "team"("id");

-- CreateIndex
CREATE UNIQUE INDEX "tag_id_key" ON "tag"("id");

-- CreateIndex
CREATE UNIQUE INDEX "custom_property_id_key" ON "custom_property"("id");

-- CreateIndex
CREATE INDEX "custom_property_value_workspace_id_property_id_idx" ON "custom_property_value"("workspace_id", "property_id");

-- CreateIndex
CREATE UNIQUE INDEX "integration_id_key" ON "integration"("id");

-- CreateIndex
CREATE INDEX "resource_workspace_id_kind_created_at_id_idx" ON "resource"("workspace_id", "kind", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "resource_workspace_id_external_usage_id_idx" ON "resource"("workspace_id", "external_usage" DESC, "id");

-- CreateIndex
CREATE INDEX "resource_workspace_id_parent_id_idx" ON "resource"("workspace_id", "parent_id");

-- CreateIndex
CREATE INDEX "resource_workspace_id_integration_id_databuilder_id_idx" ON "resource"("workspace_id", "integration_id", "databuilder_id");

-- CreateIndex
CREATE UNIQUE INDEX "resource_id_key" ON "resource"("id");

-- CreateIndex
CREATE UNIQUE INDEX "resource_version_workspace_id_resource_id_version_key" ON "resource_version"("workspace_id", "resource_id", "version");

-- CreateIndex
CREATE INDEX "lineage_edge_workspace_id_source_id_idx" ON "lineage_edge"("workspace_id", "source_id");

-- CreateIndex
CREATE INDEX "lineage_edge_workspace_id_target_id_idx" ON "lineage_edge"("workspace_id", "target_id");

-- CreateIndex
CREATE UNIQUE INDEX "lineage_edge_workspace_id_upstream_id_key" ON "lineage_edge"("workspace_id", "upstream_id");

-- CreateIndex
CREATE INDEX "data_test_workspace_id_resource_id_idx" ON "data_test"("workspace_id", "resource_id");

-- CreateIndex
CREATE UNIQUE INDEX "data_test_workspace_id_integration_id_key_key" ON "data_test"("workspace_id", "integration_id", "key");

-- CreateIndex
CREATE INDEX "run_result_workspace_id_resource_id_completed_at_idx" ON "run_result"("workspace_id", "resource_id", "completed_at");

-- CreateIndex
CREATE UNIQUE INDEX "run_result_workspace_id_integration_id_invocation_id_node_k_key" ON "run_result"("workspace_id", "integration_id", "invocation_id", "node_key");

-- CreateIndex
CREATE INDEX "monitor_workspace_id_target_id_idx" ON "monitor"("workspace_id", "target_id");

-- CreateIndex
CREATE INDEX "monitor_workspace_id_created_at_id_idx" ON "monitor"("workspace_id", "created_at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "monitor_id_key" ON "monitor"("id");

-- CreateIndex
CREATE INDEX "measurement_workspace_id_monitor_id_created_at_idx" ON "measurement"("workspace_id", "monitor_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "measurement_workspace_id_incident_id_idx" ON "measurement"("workspace_id", "incident_id");

-- CreateIndex
CREATE UNIQUE INDEX "measurement_id_key" ON "measurement"("id");

-- CreateIndex
CREATE INDEX "incident_workspace_id_monitor_id_idx" ON "incident"("workspace_id", "monitor_id");

-- CreateIndex
CREATE INDEX "incident_workspace_id_target_id_idx" ON "incident"("workspace_id", "target_id");

-- CreateIndex
CREATE INDEX "incident_workspace_id_created_at_id_idx" ON "incident"("workspace_id", "created_at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "incident_id_key" ON "incident"("id");

-- CreateIndex
CREATE INDEX "incident_action_workspace_id_incident_id_created_at_idx" ON "incident_action"("workspace_id", "incident_id", "created_at");

-- CreateIndex
CREATE INDEX "audit_log_workspace_id_logged_at_id_idx" ON "audit_log"("workspace_id", "logged_at" DESC, "id");

-- CreateIndex
CREATE INDEX "audit_log_workspace_id_resource_id_logged_at_idx" ON "audit_log"("workspace_id", "resource_id", "logged_at" DESC);

-- CreateIndex
CREATE INDEX "job_workspace_id_created_at_id_idx" ON "job"("workspace_id", "created_at" DESC, "id");

-- AddForeignKey
ALTER TABLE "user_account" ADD CONSTRAINT "user_account_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_group" ADD CONSTRAINT "user_group_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "user_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team" ADD CONSTRAINT "team_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tag" ADD CONSTRAINT "tag_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "custom_property" ADD CONSTRAINT "custom_property_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "custom_property_value" ADD CONSTRAINT "custom_property_value_workspace_id_property_id_fkey" FOREIGN KEY ("workspace_id", "property_id") REFERENCES "custom_property"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "custom_property_value" ADD CONSTRAINT "custom_property_value_workspace_id_resource_id_fkey" FOREIGN KEY ("workspace_id", "resource_id") REFERENCES "resource"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "integration" ADD CONSTRAINT "integration_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resource" ADD CONSTRAINT "resource_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resource" ADD CONSTRAINT "resource_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "resource"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "resource" ADD CONSTRAINT "resource_workspace_id_integration_id_fkey" FOREIGN KEY ("workspace_id", "integration_id") REFERENCES "integration"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "resource_version" ADD CONSTRAINT "resource_version_workspace_id_resource_id_fkey" FOREIGN KEY ("workspace_id", "resource_id") REFERENCES "resource"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "vote" ADD CONSTRAINT "vote_workspace_id_resource_id_fkey" FOREIGN KEY ("workspace_id", "resource_id") REFERENCES "resource"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "usage_day" ADD CONSTRAINT "usage_day_workspace_id_resource_id_fkey" FOREIGN KEY ("workspace_id", "resource_id") REFERENCES "resource"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lineage_edge" ADD CONSTRAINT "lineage_edge_workspace_id_source_id_fkey" FOREIGN KEY ("workspace_id", "source_id") REFERENCES "resource"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lineage_edge" ADD CONSTRAINT "lineage_edge_workspace_id_target_id_fkey" FOREIGN KEY ("workspace_id", "target_id") REFERENCES "resource"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "data_test" ADD CONSTRAINT "data_test_workspace_id_integration_id_fkey" FOREIGN KEY ("workspace_id", "integration_id") REFERENCES "integration"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "data_test" ADD CONSTRAINT "data_test_workspace_id_resource_id_fkey" FOREIGN KEY ("workspace_id", "resource_id") REFERENCES "resource"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_result" ADD CONSTRAINT "run_result_workspace_id_integration_id_fkey" FOREIGN KEY ("workspace_id", "integration_id") REFERENCES "integration"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "monitor" ADD CONSTRAINT "monitor_workspace_id_target_id_fkey" FOREIGN KEY ("workspace_id", "target_id") REFERENCES "resource"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "measurement" ADD CONSTRAINT "measurement_workspace_id_monitor_id_fkey" FOREIGN KEY ("workspace_id", "monitor_id") REFERENCES "monitor"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "measurement" ADD CONSTRAINT "measurement_workspace_id_incident_id_fkey" FOREIGN KEY ("workspace_id", "incident_id") REFERENCES "incident"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "incident" ADD CONSTRAINT "incident_workspace_id_monitor_id_fkey" FOREIGN KEY ("workspace_id", "monitor_id") REFERENCES "monitor"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "incident_action" ADD CONSTRAINT "incident_action_workspace_id_incident_id_fkey" FOREIGN KEY ("workspace_id", "incident_id") REFERENCES "incident"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job" ADD CONSTRAINT "job_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
