-- CreateIndex
CREATE INDEX "run_result_workspace_id_integration_id_node_key_completed_a_idx" ON "run_result"("workspace_id", "integration_id", "node_key", "completed_at" DESC);
