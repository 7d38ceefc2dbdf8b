#!/usr/bin/env bash
# The drill of docs/run/back-up.md, "When the machine dies": an empty folder stands for the new machine. With the release,
# the last backup and the secret, the owner is signed in again; on the embedded database and on a Postgres server. Run
# it with npm, Postgres' programs and the network:
#   ops/drill.sh dist/cellar-door-VERSION.tgz [FOLDER]
# It makes a club, backs it up, loses it, and says how long each way back takes.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=ops/try-common.sh
. "$here/try-common.sh"
begin_trial 3920 "$@"

commands=0
# A command that the operator types.
typed() { commands=$((commands + 1)); echo "   \$ $*"; "$@" > typed.txt 2>&1 || fail "$* failed: $(cat typed.txt)"; }
install() { npm install --silent --no-audit --no-fund --global --prefix "$1" "$release" > npm.txt 2>&1 || fail "npm: $(cat npm.txt)"; }
since=0
clock() { since=$(date +%s.%N); commands=0; }
done_in() { echo "$(date +%s.%N) $since" | awk -v n=$commands -v what="$1" '{ printf "%s: %.0f s, %d commands\n", what, $1 - $2, n }'; }

# The machine that will die.
mkdir -p dies kept
install "$work/dies/program"
old() { PATH=$work/dies/program/bin:$PATH DATA_DIR=$work/dies/data "$@"; }
AUTH_SECRET=$(openssl rand -base64 32)

club() {
  PATH=$work/dies/program/bin:$PATH DATA_DIR=$work/dies/data begin cellar-door start
  opened; make_owner; sign_in; signed_in
}

# The last command on the new machine, and what the owner finds there.
owner_returns() {
  commands=$((commands + 1)); echo '   $ cellar-door start'
  begin cellar-door start; opened
  signed_in
  done_in 'the owner is still signed in, on a new machine'
  sign_in; signed_in
  say 'and signs in again, with the password'
  stop
}

say '== the embedded database'
# The secret is in the backup, or, as here, kept apart from it.
export AUTH_SECRET
club
old cellar-door backup kept > out2.txt || fail "no backup: $(cat out2.txt)"
stop
cp cookies kept/cookies
rm -rf dies/data

clock
mkdir -p new; cd new; cp ../kept/cookies .
export DATA_DIR=$work/new/data
typed npm install -g --silent --prefix "$work/new/program" "$release"
PATH=$work/new/program/bin:$PATH
typed cellar-door restore "$(ls ../kept/*.tar.gz)"
owner_returns
cd ..; rm -rf new/data kept/*

say '== a Postgres server'
start_postgres 3922
admin=postgres://postgres@127.0.0.1:3922/postgres
psql -q "$admin" -c "create role club login createrole password 'secret'" -c 'create database club owner club'
export DATABASE_URL=postgres://club:secret@127.0.0.1:3922/club
club
pg_dump --format=custom --file=kept/cellar-door.dump "$DATABASE_URL"
stop
cp cookies kept/cookies
stop_postgres; rm -rf pg dies

cp kept/cookies new/; rm -rf new/program
clock
echo '   a new Postgres server is there (apt install postgresql)'
start_postgres 3922
cd new
typed npm install -g --silent --prefix "$work/new/program" "$release"
typed psql -q "$admin" -c "create role club login createrole password 'secret'"
typed psql -q "$admin" -c 'create database club owner club'
typed pg_restore --no-owner --no-acl --dbname="$DATABASE_URL" ../kept/cellar-door.dump
owner_returns

# Without the secret, a start from an empty folder is refused rather than signing everyone out.
unset AUTH_SECRET; rm -rf data
begin cellar-door start
code=0; wait "$server" || code=$?; server=
[ "$code" = 1 ] && grep -q 'AUTH_SECRET is required' out.txt || fail "without the secret, the start exits with $code"
say 'without the secret, the start says that it is missing, and changes nothing'
cd ..
say 'The drill works.'
