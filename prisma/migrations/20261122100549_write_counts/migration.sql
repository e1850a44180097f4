-- CreateTable
-- Counts of a minute are not worth a flush of the log, nor a copy on a standby.
CREATE UNLOGGED TABLE "write_count" (
    "workspace_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "write_count_pkey" PRIMARY KEY ("workspace_id","key_id")
);

-- AddForeignKey
ALTER TABLE "write_count" ADD CONSTRAINT "write_count_workspace_id_key_id_fkey" FOREIGN KEY ("workspace_id", "key_id") REFERENCES "api_key"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
