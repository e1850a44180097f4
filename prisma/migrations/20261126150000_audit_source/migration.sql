-- Where a request came from, and what let it act. Entries that are there say nothing of it, and keep their hashes: the
-- form of a link says what it is made of. A process of the version before, which may go on to seal during an upgrade,
-- makes links of form 2.
ALTER TABLE "audit_log" ADD COLUMN "client_address" TEXT,
ADD COLUMN "credential" TEXT;
