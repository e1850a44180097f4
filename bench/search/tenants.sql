-- Gives $TENANTS more workspaces resources of their own: the first 2,500 of those that are there, under ids of their own.

CREATE TEMP TABLE first AS SELECT w.id AS workspace_id, i.id AS integration_id
  FROM workspace w JOIN integration i ON i.workspace_id = w.id ORDER BY w.created_at LIMIT 1;
CREATE TEMP TABLE tenant AS SELECT gen_random_uuid() AS id, 'tenant ' || n AS name FROM generate_series(1, $TENANTS) n;
INSERT INTO workspace (id, name) SELECT id, name FROM tenant;
INSERT INTO integration (workspace_id, id, name, type) SELECT id, id, 'warehouse', 'custom' FROM tenant;
INSERT INTO resource (id, workspace_id, integration_id, databuilder_id, kind, title, title_full, parent_id, description,
    definition, external_usage, published, verified, created_at, updated_at, external_updated_at)
  SELECT md5(t.id::text || r.id)::uuid, t.id, t.id, r.databuilder_id, r.kind, r.title, r.title_full,
    md5(t.id::text || r.parent_id)::uuid, r.description, r.definition, r.external_usage, r.published, r.verified,
    r.created_at, r.updated_at, r.external_updated_at
  FROM tenant t CROSS JOIN first f JOIN resource r ON r.workspace_id = f.workspace_id
  WHERE substr(r.databuilder_id, 5)::int < 2500 ORDER BY t.id, r.id;
