-- Documents of what is there already: 45 us each, a million in about a minute. Who changes one of them before it is
-- committed waits for the end of it.
INSERT INTO search_document (workspace_id, resource_id, doc)
  SELECT * FROM search_source ON CONFLICT DO NOTHING;
INSERT INTO title_word (workspace_id, word, transaction)
  SELECT DISTINCT r.workspace_id, w.word, 0
    FROM (SELECT DISTINCT workspace_id, title FROM resource WHERE NOT archived) r, words_of_title(r.title) w
    WHERE NOT EXISTS (SELECT FROM title_word k WHERE k.workspace_id = r.workspace_id AND k.word = w.word COLLATE "C")
  ON CONFLICT DO NOTHING;
