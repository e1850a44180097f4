-- People who are signed in with a browser, and what OpenID providers call them.
CREATE TABLE "web_session" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "web_session_pkey" PRIMARY KEY ("workspace_id","id")
);

CREATE UNIQUE INDEX "web_session_hash_key" ON "web_session"("hash");
CREATE INDEX "web_session_workspace_id_user_id_idx" ON "web_session"("workspace_id", "user_id");

ALTER TABLE "web_session" ADD CONSTRAINT "web_session_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "web_session" ADD CONSTRAINT "web_session_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "user_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "web_session" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "web_session" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);

CREATE TABLE "user_identity" (
    "workspace_id" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_identity_pkey" PRIMARY KEY ("workspace_id","issuer","subject")
);

CREATE UNIQUE INDEX "user_identity_workspace_id_user_id_issuer_key" ON "user_identity"("workspace_id", "user_id", "issuer");

ALTER TABLE "user_identity" ADD CONSTRAINT "user_identity_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "user_identity" ADD CONSTRAINT "user_identity_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "user_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "user_identity" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "user_identity" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);

-- Writes are counted for people without a key, too.
ALTER TABLE "write_count" DROP CONSTRAINT "write_count_workspace_id_key_id_fkey";
ALTER TABLE "write_count" ADD CONSTRAINT "write_count_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
