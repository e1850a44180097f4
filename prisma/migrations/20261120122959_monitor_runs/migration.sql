-- AlterTable
ALTER TABLE "measurement" ADD COLUMN     "job_id" UUID;

-- AlterTable
ALTER TABLE "monitor" ADD COLUMN     "learns_from" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "learner_snapshot" (
    "workspace_id" UUID NOT NULL,
    "monitor_id" UUID NOT NULL,
    "setup" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "learner_snapshot_pkey" PRIMARY KEY ("workspace_id","monitor_id")
);

-- CreateTable
CREATE TABLE "notification" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dedupe_key" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "incident_id" UUID,
    "channel" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "delivered_at" TIMESTAMPTZ(3),
    "reference" TEXT,

    CONSTRAINT "notification_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "notification_workspace_id_incident_id_idx" ON "notification"("workspace_id", "incident_id");

-- CreateIndex
CREATE INDEX "notification_workspace_id_created_at_id_idx" ON "notification"("workspace_id", "created_at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "notification_workspace_id_dedupe_key_key" ON "notification"("workspace_id", "dedupe_key");

-- CreateIndex
CREATE UNIQUE INDEX "measurement_workspace_id_monitor_id_job_id_key" ON "measurement"("workspace_id", "monitor_id", "job_id");

-- AddForeignKey
ALTER TABLE "learner_snapshot" ADD CONSTRAINT "learner_snapshot_workspace_id_monitor_id_fkey" FOREIGN KEY ("workspace_id", "monitor_id") REFERENCES "monitor"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification" ADD CONSTRAINT "notification_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
