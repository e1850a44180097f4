# Runs the PostgreSQL server and ends it when the process that started this one closes the pipe that
# is standard input here, or dies: `supervise.sh CLUSTER POSTGRES ARGUMENTS...`.
umask 077
cluster=$1
shift
exec 4<&0

"$@" 4<&- </dev/null &
server=$!
# It holds the pipe alone, and not what the server's processes inherit to be known by.
# A server that is only just starting ignores the signal: it is sent until the server is gone.
(read -r end <&4; while kill -s INT "$server" 2>/dev/null; do sleep 1; done) 3>&- &
watcher=$!
exec 4<&-

wait "$server"
status=$?
kill -s TERM "$watcher" 2>/dev/null
# A server that was killed may leave processes that are still busy with a statement.
[ "$status" = 0 ] || sh "${0%/*}/signal.sh" "$cluster" KILL
exit "$status"
