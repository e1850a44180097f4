-- AlterTable
ALTER TABLE "incident" ADD COLUMN     "cause_id" UUID,
ADD COLUMN     "root_id" UUID;

-- CreateIndex
CREATE INDEX "incident_workspace_id_root_id_idx" ON "incident"("workspace_id", "root_id");
