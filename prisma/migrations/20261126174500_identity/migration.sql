-- One resource per thing: where it lies, what equals it, and what each integration says of it.
ALTER TABLE "resource"
  ADD COLUMN "address" TEXT,
  ADD COLUMN "identity" UUID,
  ADD COLUMN "variant" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "shared" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "resource_claim" (
    "workspace_id" UUID NOT NULL,
    "integration_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "resource_id" UUID NOT NULL,
    "rank" SMALLINT NOT NULL,
    "live" BOOLEAN NOT NULL DEFAULT true,
    "gone_at" TIMESTAMPTZ(3),
    "title" TEXT,
    "description" TEXT,
    "definition" TEXT,
    "creation_query" TEXT,
    "native_type" TEXT,
    "url" TEXT,
    "type" TEXT,
    "group_name" TEXT,
    "product" TEXT,
    "cluster" TEXT,
    "external_updated_at" TIMESTAMPTZ(3),
    "row_count" DOUBLE PRECISION,
    "byte_size" DOUBLE PRECISION,
    "sort_order" INTEGER,
    "is_pk" BOOLEAN,
    "hidden" BOOLEAN,
    "external_usage" DOUBLE PRECISION,
    "tag_ids" UUID[],
    "owner_ids" UUID[],
    "source_metadata" JSONB,

    CONSTRAINT "resource_claim_pkey" PRIMARY KEY ("workspace_id","integration_id","key")
);

CREATE TABLE "resource_alias" (
    "workspace_id" UUID NOT NULL,
    "old_id" UUID NOT NULL,
    "resource_id" UUID NOT NULL,
    "merged_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "identity" UUID,

    CONSTRAINT "resource_alias_pkey" PRIMARY KEY ("workspace_id","old_id")
);

CREATE TABLE "integration_address" (
    "workspace_id" UUID NOT NULL,
    "integration_id" UUID NOT NULL,
    "database" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "becomes" TEXT,
    "origin" TEXT NOT NULL,
    "decided_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_by" UUID,

    CONSTRAINT "integration_address_pkey" PRIMARY KEY ("workspace_id","integration_id","database")
);

CREATE TABLE "database_address" (
    "workspace_id" UUID NOT NULL,
    "adapter" TEXT NOT NULL,
    "database" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "decided_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "database_address_pkey" PRIMARY KEY ("workspace_id","adapter","database")
);

CREATE INDEX "resource_claim_workspace_id_resource_id_idx" ON "resource_claim"("workspace_id", "resource_id");
CREATE INDEX "resource_alias_workspace_id_resource_id_idx" ON "resource_alias"("workspace_id", "resource_id");

ALTER TABLE "resource_claim" ADD CONSTRAINT "resource_claim_workspace_id_resource_id_fkey"
  FOREIGN KEY ("workspace_id", "resource_id") REFERENCES "resource"("workspace_id", "id")
  ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "resource_alias" ADD CONSTRAINT "resource_alias_workspace_id_resource_id_fkey"
  FOREIGN KEY ("workspace_id", "resource_id") REFERENCES "resource"("workspace_id", "id")
  ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "integration_address" ADD CONSTRAINT "integration_address_workspace_id_integration_id_fkey"
  FOREIGN KEY ("workspace_id", "integration_id") REFERENCES "integration"("workspace_id", "id")
  ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "database_address" ADD CONSTRAINT "database_address_workspace_id_fkey"
  FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "resource_claim" ADD CONSTRAINT "resource_claim_rank" CHECK ("rank" BETWEEN 0 AND 6);
ALTER TABLE "integration_address" ADD CONSTRAINT "integration_address_origin"
  CHECK ("origin" IN ('set', 'credentials'));

-- Two imports that bring the same table at once: the second waits for the first, and then describes what that made.
CREATE UNIQUE INDEX "resource_identity_key" ON "resource" ("workspace_id", "identity")
  WHERE "identity" IS NOT NULL;
CREATE INDEX "resource_alias_identity_idx" ON "resource_alias" ("workspace_id", "identity")
  WHERE "identity" IS NOT NULL;
-- What several describe, by each of them but the first: few are.
CREATE INDEX "resource_sources_idx" ON "resource" USING gin ("source_ids") WHERE "source_ids" <> '{}';
CREATE INDEX "resource_address_idx" ON "resource" ("workspace_id", "address") WHERE "kind" = 'schema';

ALTER TABLE "resource_claim" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "resource_claim" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);
ALTER TABLE "resource_alias" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "resource_alias" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);
ALTER TABLE "integration_address" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "integration_address" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);
ALTER TABLE "database_address" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "database_address" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);
