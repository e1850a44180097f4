-- What is in the catalog gets an address: files and sources one of their own, until the next sync says another, and what
-- projects name the one of all projects for such a warehouse. Nothing is merged here.
WITH projects AS (
  SELECT i.workspace_id, i.id, 'unplaced:' || coalesce((
    SELECT max(CASE d.name
      WHEN 'mariadb' THEN 'mysql' WHEN 'databricks' THEN 'spark' WHEN 'fabric' THEN 'sqlserver'
      WHEN 'synapse' THEN 'sqlserver' WHEN 'presto' THEN 'trino' WHEN 'postgresql' THEN 'postgres'
      ELSE d.name END)
    FROM "resource" r, LATERAL (SELECT lower(r.source_metadata ->> 'dialect') AS name) d
    WHERE r.workspace_id = i.workspace_id AND r.integration_id = i.id AND r.kind = 'table'), '') AS unplaced
  FROM "integration" i WHERE i.type = 'dbt_core'
)
UPDATE "resource" r SET "address" = CASE
    WHEN p.id IS NULL THEN 'integration:' || i.id || coalesce('#' || lower(r.cluster COLLATE "C"), '')
    WHEN (CASE r.kind WHEN 'database' THEN r.title ELSE r.database_name END) IS NULL THEN 'integration:' || i.id
    ELSE p.unplaced END
FROM "integration" i LEFT JOIN projects p ON p.workspace_id = i.workspace_id AND p.id = i.id
WHERE i.workspace_id = r.workspace_id AND i.id = r.integration_id
  AND r.kind IN ('database', 'schema', 'table');

-- What people made lies where it was put.
UPDATE "resource" SET "address" = 'unplaced:' WHERE "integration_id" IS NULL AND "kind" = 'database';
UPDATE "resource" r SET "address" = coalesce((SELECT p.address FROM "resource" p
    WHERE p.workspace_id = r.workspace_id AND p.id = r.parent_id), 'unplaced:')
  WHERE r.integration_id IS NULL AND r.kind = 'schema';
UPDATE "resource" r SET "address" = coalesce((SELECT p.address FROM "resource" p
    WHERE p.workspace_id = r.workspace_id AND p.id = r.parent_id), 'unplaced:')
  WHERE r.integration_id IS NULL AND r.kind = 'table';

-- Of several of one name the one that people worked on is meant, else the oldest; the others wait to be merged.
UPDATE "resource" r SET "identity" = x.identity
FROM (
  SELECT n.workspace_id, n.id, n.identity, row_number() OVER (
    PARTITION BY n.workspace_id, n.identity
    ORDER BY n.archived, (n.edited_fields = '{}'), n.created_at, n.id) AS place
  FROM (
    SELECT r.workspace_id, r.id, r.archived, r.edited_fields, r.created_at, md5(jsonb_build_array(
      r.address, r.kind,
      lower((CASE r.kind WHEN 'database' THEN NULL ELSE r.database_name END) COLLATE "C"),
      lower((CASE r.kind WHEN 'table' THEN r.schema_name END) COLLATE "C"),
      lower(r.title COLLATE "C"))::text)::uuid AS identity
    FROM "resource" r
    WHERE r.address IS NOT NULL AND (r.kind <> 'table' OR r.schema_name IS NOT NULL)
  ) n
) x
WHERE x.place = 1 AND r.workspace_id = x.workspace_id AND r.id = x.id;

-- What several describe gets their claims: that of the owner of what is there, and those of the others under keys that
-- their next upload replaces.
INSERT INTO "resource_claim" ("workspace_id", "integration_id", "key", "resource_id", "rank", "live", "gone_at",
  "title", "description", "definition", "creation_query", "native_type", "url", "type", "group_name", "product",
  "cluster", "external_updated_at", "row_count", "byte_size", "sort_order", "is_pk", "hidden", "external_usage",
  "tag_ids", "owner_ids", "source_metadata")
SELECT r.workspace_id, coalesce(r.integration_id, '00000000-0000-0000-0000-000000000000'),
  coalesce(r.databuilder_id, r.id::text), r.id,
  CASE WHEN r.databuilder_id IS NULL THEN 0
    WHEN i.type = 'dbt_core' THEN CASE WHEN r.kind IN ('database', 'schema') THEN 6
      WHEN r.source_metadata ->> 'resource_type' = 'source' THEN 4 ELSE 3 END
    WHEN i.credentials IS NOT NULL THEN 1 ELSE 2 END,
  NOT r.stale, r.stale_at, r.title,
  CASE WHEN NOT 'description' = ANY (r.edited_fields) OR r.databuilder_id IS NULL THEN nullif(r.description, '') END,
  CASE WHEN NOT 'definition' = ANY (r.edited_fields) OR r.databuilder_id IS NULL THEN nullif(r.definition, '') END,
  nullif(r.creation_query, ''), nullif(r.native_type, ''), nullif(r.url, ''), nullif(r.type, ''),
  nullif(r.group_name, ''), nullif(r.product, ''), r.cluster, r.external_updated_at, r.row_count, r.byte_size,
  r.sort_order, r.is_pk, r.hidden, r.external_usage,
  CASE WHEN NOT 'tags' = ANY (r.edited_fields) OR r.databuilder_id IS NULL THEN r.tag_ids END,
  CASE WHEN NOT 'owners' = ANY (r.edited_fields) OR r.databuilder_id IS NULL THEN r.owner_ids END,
  nullif(r.source_metadata - 'transform', '{}')
FROM "resource" r
LEFT JOIN "integration" i ON i.workspace_id = r.workspace_id AND i.id = r.integration_id
WHERE r.source_ids <> '{}' AND r.kind IN ('database', 'schema', 'table', 'column');

INSERT INTO "resource_claim" ("workspace_id", "integration_id", "key", "resource_id", "rank", "live", "title",
  "source_metadata")
SELECT r.workspace_id, i.id, '?' || r.id, r.id,
  CASE WHEN r.kind IN ('database', 'schema') THEN 6
    WHEN r.source_metadata -> 'transform' ->> 'resource_type' = 'source' THEN 4 ELSE 3 END,
  true, r.title, nullif(r.source_metadata -> 'transform', '{}')
FROM "resource" r CROSS JOIN LATERAL unnest(r.source_ids) s(id)
JOIN "integration" i ON i.workspace_id = r.workspace_id AND i.id = s.id
WHERE r.kind IN ('database', 'schema', 'table', 'column');

UPDATE "resource" SET "shared" = true
WHERE "source_ids" <> '{}' AND "kind" IN ('database', 'schema', 'table', 'column');
