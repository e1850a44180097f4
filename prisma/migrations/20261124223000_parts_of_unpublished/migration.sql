-- Columns are seen with their table or not at all, properties with their event, replies with their question. Those of
-- what was unpublished before that held stayed visible.
WITH RECURSIVE "within"("workspace_id", "id") AS (
  SELECT p."workspace_id", p."id"
  FROM "resource" p
  JOIN "resource" h ON h."workspace_id" = p."workspace_id" AND h."id" = p."parent_id"
  WHERE p."kind" IN ('column', 'event_property', 'question_reply') AND p."published"
    AND NOT h."published"
  UNION
  SELECT p."workspace_id", p."id"
  FROM "within" w
  JOIN "resource" p ON p."workspace_id" = w."workspace_id" AND p."parent_id" = w."id"
  WHERE p."kind" = 'column' AND p."published"
)
UPDATE "resource" r SET "published" = false, "updated_at" = now()
FROM "within" w WHERE r."workspace_id" = w."workspace_id" AND r."id" = w."id";
