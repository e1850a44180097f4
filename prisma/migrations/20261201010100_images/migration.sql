-- CreateTable
CREATE TABLE "image" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "author_id" UUID NOT NULL,
    "media_type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "image_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "image_created_at_idx" ON "image"("created_at");

-- AddForeignKey
ALTER TABLE "image" ADD CONSTRAINT "image_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Images are packed already.
ALTER TABLE "image" ALTER COLUMN "content" SET STORAGE EXTERNAL;

ALTER TABLE "image" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "image" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);
