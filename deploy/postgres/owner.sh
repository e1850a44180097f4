#!/bin/sh
# Makes the user that Headwater signs in as, which owns its database and is nothing more. The image of PostgreSQL runs it
# once, in a new volume.
set -eu
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
\getenv password DATABASE_PASSWORD
create role headwater login password :'password';
create database headwater owner headwater;
revoke connect on database headwater from public;
\connect headwater
create extension pg_trgm;
-- What only a superuser may: docs/operations.md#row-level-security.
alter function pg_catalog.arraycontains(anyarray, anyarray) leakproof;
alter function pg_catalog.arrayoverlap(anyarray, anyarray) leakproof;
alter function pg_catalog."left"(text, integer) leakproof;
alter function pg_catalog.lower(text) leakproof;
alter function pg_catalog.textlike(text, text) leakproof;
alter function pg_catalog.to_tsvector(regconfig, text) leakproof;
alter function pg_catalog.ts_match_vq(tsvector, tsquery) leakproof;
alter function word_similarity_op(text, text) leakproof;
alter function word_similarity_commutator_op(text, text) leakproof;
SQL
