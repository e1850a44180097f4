-- A key that was made before, or by a program before this one, may do all that its user may.
ALTER TABLE "api_key" ADD COLUMN     "integration_id" UUID,
ADD COLUMN     "last_used_from" TEXT,
ADD COLUMN     "scopes" TEXT[] DEFAULT ARRAY['ADMIN']::TEXT[],
ADD CONSTRAINT "api_key_scopes_known" CHECK ("scopes" <@
  ARRAY['READ', 'WRITE', 'IMPORT', 'REPORT', 'ADMIN']);

-- CreateIndex
CREATE INDEX "api_key_workspace_id_integration_id_idx" ON "api_key"("workspace_id", "integration_id");

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_workspace_id_integration_id_fkey" FOREIGN KEY ("workspace_id", "integration_id") REFERENCES "integration"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
