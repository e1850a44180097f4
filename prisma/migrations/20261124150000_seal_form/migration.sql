-- What the hash of a link is made of: in form 2 when the entry was sealed as well. Links that are there keep their hashes,
-- and a process of the version before, which may go on to seal during an upgrade, makes them of form 1.
ALTER TABLE "audit_seal" ADD COLUMN "form" SMALLINT NOT NULL DEFAULT 1;
