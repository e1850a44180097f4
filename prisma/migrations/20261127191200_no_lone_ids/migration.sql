-- Ids are looked up within their workspace, by the primary key: these indexes were the last on columns without it, but for
-- hashes of keys, and kept the rows of a workspace from lying twice in one database.
DROP INDEX "user_account_id_key";
DROP INDEX "user_group_id_key";
DROP INDEX "team_id_key";
DROP INDEX "tag_id_key";
DROP INDEX "custom_property_id_key";
DROP INDEX "integration_id_key";
DROP INDEX "monitor_id_key";
DROP INDEX "notification_rule_id_key";
DROP INDEX "webhook_id_key";
DROP INDEX "incident_id_key";
