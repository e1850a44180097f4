-- CreateTable
CREATE TABLE "notification_rule" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "name" TEXT NOT NULL,
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "events" TEXT[],
    "resource_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "tag_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "team_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "upstream" BOOLEAN NOT NULL DEFAULT false,
    "chat_channels" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "emails" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "tell_owners" BOOLEAN NOT NULL DEFAULT false,
    "tell_subscribers" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "notification_rule_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "notification_rule_id_key" ON "notification_rule"("id");

-- AddForeignKey
ALTER TABLE "notification_rule" ADD CONSTRAINT "notification_rule_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
