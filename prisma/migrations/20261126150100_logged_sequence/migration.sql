-- The numbers of lineage_log come from a sequence of its own, which is logged. One that belongs to an unlogged table is
-- unlogged as well (PostgreSQL 15 and later), and a standby has nothing of it on disk before its first restartpoint:
-- promoted before that, it refused every statement that adds to the log, and so every change of the catalog.
CREATE SEQUENCE "lineage_log_number";
ALTER TABLE "lineage_log" ALTER COLUMN "seq" SET DEFAULT nextval('lineage_log_number');
SELECT setval('lineage_log_number', (SELECT coalesce(max("seq"), 0) + 1 FROM "lineage_log"), false);
DROP SEQUENCE "lineage_log_seq_seq";
