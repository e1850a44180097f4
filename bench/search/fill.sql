-- Fills a catalog with $SIZE resources in one go: a quarter tables, most others their columns. A few words are in
-- very many titles, most words in a few, as in catalogs that people have; so many columns share a title.

SELECT setseed(0.42);

CREATE TEMP TABLE word AS
  SELECT n, CASE WHEN n < 40 THEN (string_to_array('order customer item payment session refund invoice visit product '
      'account event user price stock store region market signal device channel campaign budget ledger claim policy '
      'vendor parcel route driver ticket agent quota target margin batch sensor reading tariff meter contract', ' '))[n + 1]
    ELSE (ARRAY['ba','co','de','fi','ga','hu','ki','la','me','no','pa','qui','ro','sa','tu','va','we','xe','yo','za'])[1 + n % 20]
      || (ARRAY['lan','mir','nos','pel','rud','sin','tor','val','wen','zer','bac','dil','fen','gor','hap'])[1 + (n / 20) % 15]
      || (ARRAY['a','en','ic','o','um','is','al','ex','ur','ot','ine','ad','ox','ep','ivo','ant','ube','ysm','erk','ogy'])[1 + (n / 300) % 20]
      || CASE WHEN n < 6000 THEN '' ELSE (ARRAY['ta','ron','lis','dex'])[n / 6000] END
    END AS word
  FROM generate_series(0, 19999) n;
CREATE UNIQUE INDEX ON word (n);

CREATE FUNCTION pg_temp.pick(power float8) RETURNS text LANGUAGE sql VOLATILE AS
  $$ SELECT word FROM word WHERE n = (SELECT floor(20000 * power(random(), $1))::int) $$;

CREATE TEMP TABLE place AS SELECT w.id AS workspace_id, i.id AS integration_id
  FROM workspace w JOIN integration i ON i.workspace_id = w.id ORDER BY w.created_at LIMIT 1;
INSERT INTO tag (workspace_id, name)
  SELECT workspace_id, name FROM place, unnest(ARRAY['common', 'medium', 'rare']) name ON CONFLICT DO NOTHING;

CREATE TEMP TABLE made AS
  SELECT n, kind, md5('resource ' || n)::uuid AS id,
    CASE kind WHEN 'column' THEN pg_temp.pick(5) || CASE WHEN random() < 0.6 THEN '_' || pg_temp.pick(6) ELSE '' END
      WHEN 'schema' THEN 'schema_' || n WHEN 'database' THEN 'shop'
      ELSE pg_temp.pick(3) || '_' || pg_temp.pick(4) || CASE WHEN random() < 0.3 THEN '_' || n ELSE '' END END AS title,
    CASE kind WHEN 'database' THEN NULL WHEN 'schema' THEN 0 WHEN 'column' THEN n - n % 4
      ELSE CASE WHEN n % 2000 = 0 THEN n ELSE n - n % 2000 END END AS parent,
    CASE WHEN random() < 0.5 THEN 0 ELSE floor(exp(random() * 9)) END AS usage,
    CASE WHEN random() < 0.4 THEN 'Every ' || pg_temp.pick(3) || ' of the shop by ' || pg_temp.pick(2) || ' and ' || pg_temp.pick(3) || '.' END AS description,
    CASE WHEN random() < 0.05 THEN 'About ' || pg_temp.pick(2) || ' and ' || pg_temp.pick(2) || ' for the ' || pg_temp.pick(3) || ' team.' ELSE '' END AS definition,
    random() AS chance
  FROM (SELECT n, CASE WHEN n = 0 THEN 'database' WHEN n % 2000 = 0 THEN 'schema' WHEN n % 4 = 0 THEN 'table'
      WHEN n % 40 = 1 THEN 'dashboard' WHEN n % 40 = 2 THEN 'query' ELSE 'column' END AS kind
    FROM generate_series(0, $SIZE - 1) n) numbered;

INSERT INTO resource (id, workspace_id, integration_id, databuilder_id, kind, title, title_full, parent_id, description,
    definition, external_usage, published, verified, tag_ids, created_at, updated_at, external_updated_at)
  SELECT m.id, p.workspace_id, p.integration_id, 'key ' || m.n, m.kind, m.title,
    CASE WHEN m.kind IN ('database', 'schema') THEN '' ELSE 'shop.schema_' || m.n - m.n % 2000 || '.' END || m.title,
    md5('resource ' || m.parent)::uuid, m.description, m.definition, m.usage, m.chance < 0.9, m.chance < 0.05,
    (SELECT coalesce(array_agg(t.id), '{}') FROM tag t WHERE t.workspace_id = p.workspace_id
      AND (t.name = 'common' AND m.n % 5 = 0 OR t.name = 'medium' AND m.n % 97 = 0 OR t.name = 'rare' AND m.n % 9973 = 0)),
    now() - make_interval(secs => ($SIZE - m.n / 1000 * 1000) / 10.0), now() - make_interval(secs => (m.n::bigint * 7919 % $SIZE) / 10.0),
    CASE WHEN m.chance < 0.7 THEN now() - make_interval(secs => (m.n::bigint * 104729 % $SIZE) / 10.0) END
  FROM made m, place p ORDER BY m.n;

-- Lineage among the tables: twelve layers, each table made from three of the layer before, most of them near by.
CREATE TEMP TABLE layered AS
  SELECT r.id, row_number() OVER (ORDER BY r.databuilder_id COLLATE "C")::int - 1 AS k, count(*) OVER ()::int / 12 AS size
  FROM resource r WHERE r.kind = 'table';
CREATE UNIQUE INDEX ON layered (k);
ANALYZE layered;
INSERT INTO lineage_edge (workspace_id, integration_id, source_id, target_id, level, origin)
  SELECT DISTINCT p.workspace_id, p.integration_id, s.id, t.id, 'TABLE', 'IMPORT'
  FROM place p, layered t CROSS JOIN generate_series(1, 3) i
  CROSS JOIN LATERAL (SELECT floor(random() * CASE WHEN random() < 0.2 THEN t.size ELSE 12 END)::int + i * 0 AS step) m
  JOIN layered s ON s.k = (t.k / t.size - 1) * t.size + (t.k % t.size + m.step) % t.size
  WHERE t.k BETWEEN t.size AND t.size * 12 - 1;

-- An entry of the audit log for every fifth resource, a few of them of a rare activity, over a year.
INSERT INTO audit_log (workspace_id, activity_type, performer_id, performer_type, resource_id, resource_type, resource_metadata,
    event_blocks, logged_at)
  SELECT p.workspace_id, CASE WHEN m.n % 50000 = 0 THEN 'tag_created' WHEN m.n % 15 = 0 THEN 'table_updated' ELSE 'table_created' END,
    CASE WHEN m.n % 35 = 0 THEN u.id END, 'USER', m.id, m.kind, jsonb_build_object('title', m.title),
    '[{"type": "text", "text": "Somebody did something to it.", "style": {}}]',
    now() - make_interval(secs => 31536000.0 * ($SIZE - m.n) / $SIZE)
  FROM place p, made m, (SELECT id FROM user_account ORDER BY id LIMIT 1) u WHERE m.n % 5 = 0 ORDER BY m.n;
