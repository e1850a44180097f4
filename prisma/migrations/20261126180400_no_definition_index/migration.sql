-- Concurrently: documents are searched instead; a program from before this searches documentation more slowly until it ends.
DROP INDEX CONCURRENTLY "resource_definition_idx";
