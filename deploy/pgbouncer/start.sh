#!/bin/sh
# Writes down the password that PgBouncer asks of its clients and gives to the server, and becomes PgBouncer.
set -eu
umask 077
printf '"headwater" "%s"\n' "$DATABASE_PASSWORD" > /run/pgbouncer/userlist.txt
exec pgbouncer /etc/pgbouncer/pgbouncer.ini
