-- CreateTable
CREATE TABLE "openlineage_dataset" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "namespace" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "said" JSONB NOT NULL,
    "stands_for" UUID,
    "integration_id" UUID,
    "key" TEXT,
    "described" UUID,

    CONSTRAINT "openlineage_dataset_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "openlineage_job" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "namespace" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "said" JSONB NOT NULL,
    "integration_id" UUID,
    "key" TEXT,
    "described" UUID,
    "last_run_at" TIMESTAMPTZ(3),

    CONSTRAINT "openlineage_job_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "openlineage_run" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "run_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "nominal_start" TIMESTAMPTZ(3),
    "parent_id" UUID,
    "error" TEXT,
    "last_event_at" TIMESTAMPTZ(3) NOT NULL,
    "outputs" UUID[],
    "said" JSONB NOT NULL,

    CONSTRAINT "openlineage_run_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "openlineage_flow" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "from_dataset" UUID NOT NULL,
    "from_column" TEXT,
    "to_dataset" UUID NOT NULL,
    "to_column" TEXT,
    "indirect" BOOLEAN NOT NULL,
    "uses" TEXT[],
    "runs" INTEGER NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "edge_id" UUID,

    CONSTRAINT "openlineage_flow_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "openlineage_day" (
    "workspace_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "namespace" TEXT NOT NULL,
    "events" INTEGER NOT NULL,
    "dropped" INTEGER NOT NULL,
    "last_event_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "openlineage_day_pkey" PRIMARY KEY ("workspace_id","day","namespace")
);

-- CreateTable
CREATE TABLE "openlineage_namespace" (
    "workspace_id" UUID NOT NULL,
    "namespace" TEXT NOT NULL,
    "integration_id" UUID NOT NULL,

    CONSTRAINT "openlineage_namespace_pkey" PRIMARY KEY ("workspace_id","namespace")
);

-- CreateIndex
CREATE INDEX "openlineage_dataset_workspace_id_integration_id_key_idx" ON "openlineage_dataset"("workspace_id", "integration_id", "key");

-- CreateIndex
CREATE INDEX "openlineage_dataset_workspace_id_stands_for_idx" ON "openlineage_dataset"("workspace_id", "stands_for");

-- CreateIndex
CREATE INDEX "openlineage_job_workspace_id_integration_id_key_idx" ON "openlineage_job"("workspace_id", "integration_id", "key");

-- CreateIndex
CREATE INDEX "openlineage_run_workspace_id_job_id_started_at_idx" ON "openlineage_run"("workspace_id", "job_id", "started_at" DESC);

-- CreateIndex
CREATE INDEX "openlineage_run_last_event_at_idx" ON "openlineage_run"("last_event_at");

-- CreateIndex
CREATE INDEX "openlineage_flow_workspace_id_job_id_idx" ON "openlineage_flow"("workspace_id", "job_id");

-- CreateIndex
CREATE INDEX "openlineage_flow_workspace_id_from_dataset_idx" ON "openlineage_flow"("workspace_id", "from_dataset");

-- CreateIndex
CREATE INDEX "openlineage_flow_workspace_id_to_dataset_idx" ON "openlineage_flow"("workspace_id", "to_dataset");

-- CreateIndex
CREATE INDEX "openlineage_flow_workspace_id_edge_id_idx" ON "openlineage_flow"("workspace_id", "edge_id");

-- CreateIndex
CREATE INDEX "openlineage_namespace_workspace_id_integration_id_idx" ON "openlineage_namespace"("workspace_id", "integration_id");

-- AddForeignKey
ALTER TABLE "openlineage_dataset" ADD CONSTRAINT "openlineage_dataset_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "openlineage_job" ADD CONSTRAINT "openlineage_job_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "openlineage_run" ADD CONSTRAINT "openlineage_run_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "openlineage_flow" ADD CONSTRAINT "openlineage_flow_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "openlineage_day" ADD CONSTRAINT "openlineage_day_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "openlineage_namespace" ADD CONSTRAINT "openlineage_namespace_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "openlineage_namespace" ADD CONSTRAINT "openlineage_namespace_workspace_id_integration_id_fkey" FOREIGN KEY ("workspace_id", "integration_id") REFERENCES "integration"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "openlineage_dataset" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "openlineage_dataset" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);

ALTER TABLE "openlineage_job" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "openlineage_job" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);

ALTER TABLE "openlineage_run" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "openlineage_run" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);

ALTER TABLE "openlineage_flow" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "openlineage_flow" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);

ALTER TABLE "openlineage_day" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "openlineage_day" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);

ALTER TABLE "openlineage_namespace" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "openlineage_namespace" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);
