-- Concurrently: it is made of all documents, while others write more.
CREATE INDEX CONCURRENTLY "search_document_doc_idx" ON "search_document" USING gin ("doc");
