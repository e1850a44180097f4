-- Runs end in a word of a closed set, as the results of tests do.
ALTER TABLE "run_result"
  ADD CONSTRAINT "run_result_status_known" CHECK ("status" IN
    ('success', 'pass', 'warn', 'fail', 'error', 'skipped'));
