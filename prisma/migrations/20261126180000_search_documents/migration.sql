-- What a search looks in, a row for each resource that is not archived: words of its title (A), of what it lies in (B), of
-- its description (C), of its documentation, SQL, answer and the titles of its columns (D); and marks that no word
-- can be: of its workspace, whether it is published, of its kind, native type, integration, tags, owners and teams, by ids, so that renaming one of these
-- writes no document. A table of its own: an index on resource would be written at every change of any column.
CREATE TABLE "search_document" (
    "workspace_id" UUID NOT NULL,
    "resource_id" UUID NOT NULL,
    "doc" TSVECTOR NOT NULL,

    CONSTRAINT "search_document_pkey" PRIMARY KEY ("workspace_id","resource_id")
);

ALTER TABLE "search_document" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "search_document" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);

-- Names with humps both together and apart: OrderDetails is also Order Details.
CREATE FUNCTION "search_humps"(t text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN t ~ '[a-z0-9][A-Z]|[A-Z][A-Z][a-z]' THEN t || ' '
    || regexp_replace(regexp_replace(t, '([a-z0-9])([A-Z])', '\1 \2', 'g'), '([A-Z])([A-Z][a-z])', '\1 \2', 'g') ELSE t END
$$;

-- A text as words are looked for in it: lower case, no accents, blanks for what stands between words, and signs of
-- Chinese and Japanese each by itself. What only ASCII texts need takes a third of the time. src/resources/search/word.ts
-- takes queries apart alike; test/resources/search/word.test.ts compares them.
CREATE FUNCTION "search_text"(t text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT lower(CASE WHEN octet_length(t) = length(t) THEN translate(t, '_-./@:+<>&#~', '            ')
    ELSE regexp_replace(regexp_replace(
      normalize(regexp_replace(normalize(t, NFD), '[\u0300-\u036f]', '', 'g'), NFC),
      '[\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20ff\u2190-\u2bff\u3000-\u3004\u3008-\u3020\ufe00-\ufe4f\uff00-\uff0f\uff1a-\uff20\U0001f000-\U0001faff]', ' ', 'g'),
      '([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])', ' \1 ', 'g') END)
$$;

CREATE FUNCTION "search_words"(t text, weight "char") RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN t <> '' THEN setweight(to_tsvector('simple', search_text(t)), weight) ELSE ''::tsvector END
$$;

CREATE FUNCTION "search_marks"(mark text, ids uuid[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array(SELECT mark || right(id::text, 8) FROM unnest(ids) id)
$$;

CREATE VIEW "search_source" WITH (security_invoker = true) AS
  SELECT r.workspace_id, r.id AS resource_id,
    search_words(search_humps(left(r.title, 1000)), 'A')
    || search_words(search_humps(right(left(r.title_full, greatest(0, length(r.title_full) - length(r.title) - 1)), 1000)), 'B')
    || search_words(left(r.description, 4000), 'C')
    || CASE WHEN r.kind IN ('table', 'event') THEN search_words(search_humps((SELECT string_agg(c.title, ' ') FROM
        (SELECT left(c.title, 200) AS title FROM resource c WHERE c.workspace_id = r.workspace_id AND c.parent_id = r.id
          AND c.kind IN ('column', 'event_property') AND NOT c.archived LIMIT 2000) c)), 'D') ELSE ''::tsvector END
    || search_words(left(r.definition, 10000), 'D')
    || CASE WHEN r.sql IS NOT NULL OR r.creation_query IS NOT NULL OR r.answer IS NOT NULL
      THEN search_words(concat_ws(' ', left(r.sql, 4000), left(r.creation_query, 4000), left(r.answer, 4000)), 'D') ELSE ''::tsvector END
    -- Most lists are empty: a call for each of them would take nearly half of the time.
    || array_to_tsvector(array_remove(ARRAY['w:' || right(r.workspace_id::text, 8), 'k:' || r.kind,
        CASE WHEN r.published THEN 'p' END, CASE WHEN r.native_type <> '' THEN 'n:' || lower(left(r.native_type, 40)) END,
        'i:' || right(r.integration_id::text, 8)], NULL)
      || CASE WHEN r.source_ids <> '{}' THEN search_marks('i:', r.source_ids) ELSE '{}' END
      || CASE WHEN r.tag_ids <> '{}' THEN search_marks('t:', r.tag_ids) ELSE '{}' END
      || CASE WHEN r.owner_ids <> '{}' THEN search_marks('o:', r.owner_ids) ELSE '{}' END
      || CASE WHEN r.owner_group_ids <> '{}' THEN search_marks('o:', r.owner_group_ids) ELSE '{}' END
      || CASE WHEN r.team_ids <> '{}' THEN search_marks('m:', r.team_ids) ELSE '{}' END) AS doc
  FROM resource r WHERE NOT r.archived;

-- Two transactions that add columns to one table each see their own: the second waits for the first one's row, and
-- reads the columns in a statement after that. Rows are taken in one order, so that none waits for the other.
CREATE FUNCTION "write_search_documents"(workspaces uuid[], ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM search_document d WHERE (d.workspace_id, d.resource_id) IN (SELECT * FROM unnest(workspaces, ids))
    ORDER BY d.workspace_id, d.resource_id FOR UPDATE;
  UPDATE search_document d SET doc = s.doc
    FROM (SELECT DISTINCT * FROM unnest(workspaces, ids)) x(w, r), search_source s
    WHERE s.workspace_id = x.w AND s.resource_id = x.r AND d.workspace_id = x.w AND d.resource_id = x.r
      AND d.doc IS DISTINCT FROM s.doc;
END $$;

CREATE FUNCTION "add_search_documents"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  workspaces uuid[];
  tables uuid[];
BEGIN
  INSERT INTO search_document (workspace_id, resource_id, doc)
    SELECT s.* FROM added a JOIN search_source s ON s.workspace_id = a.workspace_id AND s.resource_id = a.id
    ON CONFLICT (workspace_id, resource_id) DO UPDATE SET doc = excluded.doc;
  -- Tables that were there before their new columns.
  SELECT array_agg(p.workspace_id), array_agg(p.parent_id) INTO workspaces, tables
    FROM (SELECT DISTINCT a.workspace_id, a.parent_id FROM added a WHERE a.kind IN ('column', 'event_property')
      AND a.parent_id IS NOT NULL AND NOT EXISTS (SELECT FROM added t WHERE t.id = a.parent_id)) p;
  IF workspaces IS NOT NULL THEN PERFORM write_search_documents(workspaces, tables); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION "change_search_document"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.archived THEN
    DELETE FROM search_document WHERE workspace_id = NEW.workspace_id AND resource_id = NEW.id;
  ELSE
    INSERT INTO search_document (workspace_id, resource_id, doc)
      SELECT s.* FROM search_source s WHERE s.workspace_id = NEW.workspace_id AND s.resource_id = NEW.id
      ON CONFLICT (workspace_id, resource_id) DO UPDATE SET doc = excluded.doc
        WHERE search_document.doc IS DISTINCT FROM excluded.doc;
  END IF;
  IF NEW.kind IN ('column', 'event_property')
    AND (OLD.title, OLD.archived, OLD.parent_id) IS DISTINCT FROM (NEW.title, NEW.archived, NEW.parent_id) THEN
    PERFORM write_search_documents(ARRAY[NEW.workspace_id, NEW.workspace_id], ARRAY[OLD.parent_id, NEW.parent_id]);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION "remove_search_document"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM search_document d USING removed r WHERE d.workspace_id = r.workspace_id AND d.resource_id = r.id;
  RETURN NULL;
END $$;

CREATE TRIGGER "resource_search_insert" AFTER INSERT ON "resource"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "add_search_documents"();
CREATE TRIGGER "resource_search_update" AFTER UPDATE ON "resource" FOR EACH ROW
  WHEN ((OLD.kind, OLD.title, OLD.title_full, OLD.native_type, OLD.description, OLD.definition, OLD.sql, OLD.creation_query,
      OLD.answer, OLD.archived, OLD.published, OLD.parent_id, OLD.integration_id, OLD.source_ids, OLD.tag_ids, OLD.owner_ids, OLD.owner_group_ids, OLD.team_ids)
    IS DISTINCT FROM (NEW.kind, NEW.title, NEW.title_full, NEW.native_type, NEW.description, NEW.definition, NEW.sql, NEW.creation_query,
      NEW.answer, NEW.archived, NEW.published, NEW.parent_id, NEW.integration_id, NEW.source_ids, NEW.tag_ids, NEW.owner_ids, NEW.owner_group_ids, NEW.team_ids))
  EXECUTE FUNCTION "change_search_document"();
CREATE TRIGGER "resource_search_delete" AFTER DELETE ON "resource"
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "remove_search_document"();
ALTER TABLE "resource"
  ENABLE ALWAYS TRIGGER "resource_search_insert",
  ENABLE ALWAYS TRIGGER "resource_search_update",
  ENABLE ALWAYS TRIGGER "resource_search_delete";

-- Words that titles write with humps are words as well, and have no accents.
CREATE OR REPLACE FUNCTION "words_of_title"(title text) RETURNS TABLE (word text) LANGUAGE sql IMMUTABLE AS $$
  SELECT w FROM string_to_table(translate(search_text(search_humps(left(title, 1000))),
    ' ,;|()[]{}!?"''*=$%^`\', repeat(' ', 21)), ' ') w
  WHERE length(w) BETWEEN 3 AND 40 AND w COLLATE "C" > '9a'
$$;
