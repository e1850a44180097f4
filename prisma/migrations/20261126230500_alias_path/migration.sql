-- What the identity of a name is made of, so that it can move to another address.
ALTER TABLE "resource_alias" ADD COLUMN "path" JSONB;
