-- Until now only people named groups that own something: imports leave those alone.
UPDATE "resource" SET "edited_fields" = "edited_fields" || 'owners_groups'::text
WHERE "owner_group_ids" <> '{}' AND NOT 'owners_groups' = ANY ("edited_fields");
