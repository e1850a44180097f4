-- A question has a status however it was made: filters for those without an answer did not find some.
UPDATE "resource"
SET "question_status" = CASE WHEN "answer" IS NULL THEN 'Unanswered' ELSE 'Answered' END
WHERE "kind" = 'question' AND "question_status" IS NULL;
