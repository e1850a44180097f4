#!/bin/sh
# Fills in a file of this folder from the environment, and becomes the program that reads it: start FILE PROGRAM ARGUMENTS.
set -eu
umask 077
file=$1
shift
if [ -n "${USERS:-}" ]; then
  printf '"headwater" "%s"\n' "$DATABASE_PASSWORD" > "$USERS"
fi
envsubst < "/etc/headwater/$file" > "/run/headwater/$file"
exec "$@"
