-- What a workspace may hold and write at most; null for any number.
ALTER TABLE "workspace" ADD COLUMN "resource_limit" INTEGER,
ADD COLUMN "monitor_limit" INTEGER,
ADD COLUMN "write_limit" INTEGER,
ADD COLUMN "storage_limit_mb" INTEGER,
ADD CONSTRAINT "workspace_limits_check" CHECK (
  "resource_limit" >= 0 AND "monitor_limit" >= 0 AND "write_limit" >= 0 AND "storage_limit_mb" >= 0
);
