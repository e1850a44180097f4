-- Addresses are compared without the case of A to Z alone: other letters that lower() maps together are of other people.
DROP INDEX "user_account_email_key";
CREATE UNIQUE INDEX "user_account_email_key" ON "user_account" ("workspace_id", lower("email" COLLATE "C"));
