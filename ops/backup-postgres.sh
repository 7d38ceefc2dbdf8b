#!/bin/sh
# Dumps of a Postgres server into BACKUP_DIR, by libpq's variables: `now` and `before-start` make one, `daily` makes one each
# day, and `is-there` tells whether the newest is younger than two days. Those older than KEEP_DAYS go, but never the newest.
# compose.yaml runs it, and so can cron: docs/run/back-up.md.
set -eu
cd "${BACKUP_DIR:-/backups}"
umask 077

newer_than() { find . -name 'cellar-door-*.dump' -mmin "-$1" | grep -q .; }

dump() {
  for _ in $(seq 60); do pg_isready -q && break; sleep 1; done
  # Nothing is in a new database.
  profiles=$(psql -Atc "select to_regclass('public.profiles')")
  [ -n "$profiles" ] || return 0
  name=cellar-door-$(date -u +%Y-%m-%dT%H%M%SZ)$1.dump
  rm -f .unfinished-*
  pg_dump --format=custom --file=".unfinished-$name"
  pg_restore --list ".unfinished-$name" > /dev/null
  sync ".unfinished-$name"
  mv ".unfinished-$name" "$name"
  find . -name 'cellar-door-*.dump' -mtime "+${KEEP_DAYS:-14}" ! -name "$name" -delete
  echo "$name is made: $(wc -c < "$name") bytes"
}

case $1 in
now) dump '' ;;
before-start) dump -before-start ;;
is-there) newer_than 2880 ;;
daily)
  trap 'exit 0' TERM INT
  while :; do
    newer_than 1440 || /bin/sh "$0" now || echo 'the backup failed, and will be tried again' >&2
    # The tables of a new database come with the server's first start, soon after.
    if [ -n "$(find . -name 'cellar-door-*.dump')" ]; then pause=600; else pause=60; fi
    sleep $pause &
    wait $!
  done
  ;;
esac
