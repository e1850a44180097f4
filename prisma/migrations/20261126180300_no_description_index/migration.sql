-- Concurrently: documents are searched instead; a program from before this searches descriptions more slowly until it ends.
DROP INDEX CONCURRENTLY "resource_description_idx";
