-- AlterTable
ALTER TABLE "notification" ADD COLUMN     "body" TEXT,
ADD COLUMN     "read_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "notification_rule" ADD COLUMN     "webhook_ids" UUID[] DEFAULT ARRAY[]::UUID[];

-- AlterTable
ALTER TABLE "user_account" ADD COLUMN     "email_notifications" BOOLEAN NOT NULL DEFAULT true;

-- CreateTable
CREATE TABLE "webhook" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "events" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "failures" INTEGER NOT NULL DEFAULT 0,
    "paused_until" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "webhook_attempt" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "notification_id" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "answer" TEXT,

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "resource_change" (
    "workspace_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "resource_id" UUID NOT NULL,
    "what" TEXT NOT NULL,
    "before" TEXT,
    "after" TEXT,
    "actor_id" UUID,
    "integration_id" UUID,
    "noted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "resource_change_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_id_key" ON "webhook"("id");

-- CreateIndex
CREATE INDEX "webhook_attempt_workspace_id_notification_id_started_at_idx" ON "webhook_attempt"("workspace_id", "notification_id", "started_at");

-- CreateIndex
CREATE INDEX "resource_change_noted_at_idx" ON "resource_change"("noted_at");

-- CreateIndex
CREATE INDEX "notification_workspace_id_channel_address_created_at_id_idx" ON "notification"("workspace_id", "channel", "address", "created_at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_workspace_id_notification_id_fkey" FOREIGN KEY ("workspace_id", "notification_id") REFERENCES "notification"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resource_change" ADD CONSTRAINT "resource_change_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What an import finds of what somebody watches, without looking at all that nobody does.
CREATE INDEX "resource_watched_idx" ON "resource" ("workspace_id", "integration_id")
  WHERE "owner_ids" <> '{}' OR "owner_group_ids" <> '{}' OR "subscriber_ids" <> '{}';
