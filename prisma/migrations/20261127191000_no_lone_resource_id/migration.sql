-- Concurrently: ids are looked up within their workspace, by the primary key.
DROP INDEX CONCURRENTLY "resource_id_key";
