# Signals each process of PostgreSQL that works in a folder or below it: `signal.sh FOLDER SIGNAL`. It
# runs as the server's account, which may look at them even where root, without all of its rights, may
# not.
for process in /proc/[0-9]*; do
  case $(readlink "$process/exe") in */postgres) ;; *) continue ;; esac
  case $(readlink "$process/cwd") in "$1" | "$1"/*) kill -s "$2" "${process#/proc/}" ;; esac
done 2>/dev/null
exit 0
