-- AlterTable
ALTER TABLE "monitor" ADD COLUMN     "declared_by_id" UUID,
ADD COLUMN     "declared_in" TEXT,
ADD COLUMN     "undeclared_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "monitor_workspace_id_declared_by_id_idx" ON "monitor"("workspace_id", "declared_by_id");
