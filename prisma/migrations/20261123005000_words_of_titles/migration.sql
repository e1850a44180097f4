-- Of resources with one title, or titles that begin alike, search takes the most used.
DROP INDEX "resource_title_idx";
CREATE INDEX "resource_title_idx"
  ON "resource" ("workspace_id", left(lower("title"), 256) COLLATE "C", "external_usage" DESC)
  WHERE NOT "archived";

-- A search of some kinds finds the words of these kinds alone.
DROP INDEX "resource_title_trigram_idx";
CREATE INDEX "resource_title_trigram_idx"
  ON "resource" USING gin (lower("title") gin_trgm_ops, (ARRAY["kind"]))
  WHERE NOT "archived";
DROP INDEX "resource_description_idx";
CREATE INDEX "resource_description_idx"
  ON "resource" USING gin (to_tsvector('simple', left("description", 100000)), (ARRAY["kind"]))
  WHERE NOT "archived" AND "description" IS NOT NULL;
DROP INDEX "resource_definition_idx";
CREATE INDEX "resource_definition_idx"
  ON "resource" USING gin (to_tsvector('simple', left("definition", 100000)), (ARRAY["kind"]))
  WHERE NOT "archived" AND "definition" <> '';

-- The words of titles, each once, for searches with a typo. A transaction adds those that it does not see, so that
-- two who add the same word don't wait for each other; words that no title has any more stay, and find nothing.
CREATE TABLE "title_word" (
    "workspace_id" UUID NOT NULL,
    "word" TEXT NOT NULL COLLATE "C",
    "transaction" BIGINT NOT NULL,

    CONSTRAINT "title_word_pkey" PRIMARY KEY ("workspace_id","word","transaction")
);

ALTER TABLE "title_word" ADD CONSTRAINT "title_word_workspace_id_fkey" FOREIGN KEY ("workspace_id")
  REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "title_word" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY "of_workspace" ON "title_word" USING (
  "workspace_id" = (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid)
  OR (SELECT nullif(current_setting('headwater.workspace', true), '')::uuid) = '00000000-0000-0000-0000-000000000000'
);

-- Words of 3 to 40 characters that begin with a letter. Beside a regular expression this takes a fifth of the time.
CREATE FUNCTION "words_of_title"(title text) RETURNS TABLE (word text) LANGUAGE sql IMMUTABLE AS $$
  SELECT w FROM string_to_table(translate(lower(left(title, 1000)),
    '_-. /:,;|()[]{}<>!?"''&+*=#@$%^~`\', repeat(' ', 33)), ' ') w
  WHERE length(w) BETWEEN 3 AND 40 AND w COLLATE "C" > '9a'
$$;

CREATE FUNCTION "add_title_words"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO title_word (workspace_id, word, transaction)
    SELECT n.workspace_id, n.word, pg_current_xact_id()::text::bigint
      FROM (SELECT DISTINCT t.workspace_id, w.word COLLATE "C" AS word
        FROM (SELECT DISTINCT a.workspace_id, a.title FROM added a) t, words_of_title(t.title) w) n
      WHERE NOT EXISTS (SELECT FROM title_word k WHERE k.workspace_id = n.workspace_id AND k.word = n.word)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION "add_words_of_new_title"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO title_word (workspace_id, word, transaction)
    SELECT DISTINCT NEW.workspace_id, w.word, pg_current_xact_id()::text::bigint FROM words_of_title(NEW.title) w
      WHERE NOT EXISTS (SELECT FROM title_word k WHERE k.workspace_id = NEW.workspace_id AND k.word = w.word COLLATE "C")
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER "resource_words_insert" AFTER INSERT ON "resource"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "add_title_words"();
CREATE TRIGGER "resource_words_update" AFTER UPDATE ON "resource" FOR EACH ROW
  WHEN (OLD.title IS DISTINCT FROM NEW.title) EXECUTE FUNCTION "add_words_of_new_title"();

INSERT INTO title_word (workspace_id, word, transaction)
  SELECT DISTINCT r.workspace_id, w.word, 0 FROM (SELECT DISTINCT workspace_id, title FROM resource) r, words_of_title(r.title) w;
CREATE INDEX "title_word_trigram_idx" ON "title_word" USING gin ("word" gin_trgm_ops);
