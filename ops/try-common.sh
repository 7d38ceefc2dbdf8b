# Functions of the scripts that try a release. They expect $url, and the server's output in out.txt.
unset STRIPE_SECRET_KEY
export LOG_LEVEL=${LOG_LEVEL:-info} NODE_ENV=production
owner_email=owner@venue.example
owner_password='a long one of no dictionary 7'
server=

# begin_trial PORT RELEASE [FOLDER]: works in the folder, or in a new one, with servers on the port, which end with the script.
begin_trial() {
  port=$1
  url=http://localhost:$port
  release=$(realpath "$2")
  work=$(realpath -m "${3:-$(mktemp -d)}")
  mkdir -p "$work"; chmod 755 "$work"; cd "$work"
  export PUBLIC_URL=$url PORT=$port
  trap finish EXIT
}
finish() {
  [ -z "$server" ] || kill -KILL "$server" 2>/dev/null || true
  stop_postgres
}
fail() { echo "FAILED: $1"; tail -n 30 out.txt 2>/dev/null || true; exit 1; }
say() { echo "$(date +%T) $*"; }
# begin COMMAND...: runs it in the background, as $server.
begin() { : > out.txt; "$@" > out.txt 2>&1 & server=$!; }
opened() {
  until grep -q 'Press Ctrl-C to stop' out.txt; do
    kill -0 "$server" 2>/dev/null || fail "${1:-the server} ended"
    sleep 0.2
  done
}
stop() {
  kill -TERM "$server"
  wait "$server" || fail 'the server does not stop'
  server=
}
send() { curl -sf -H "Origin: $url" -H 'Content-Type: application/json' "$@"; }
# The first staff account, by the link that the start prints.
make_owner() {
  local code; code=$(grep -o '/setup#[0-9A-Z-]*' out.txt | head -1 | cut -d'#' -f2)
  [ -n "$code" ] || fail 'no link to /setup'
  send -o /dev/null "$url/api/setup" -d "{\"code\":\"$code\",\"first_name\":\"Olga\",\"last_name\":\"Berger\",
    \"email\":\"$owner_email\",\"password\":\"$owner_password\",\"club_name\":\"Weingut Berger\",\"time_zone\":\"Europe/Vienna\"}" \
    || fail 'the owner is not created'
}
sign_in() {
  send -c cookies -o /dev/null "$url/api/auth/sign-in" -d "{\"email\":\"$owner_email\",\"password\":\"$owner_password\"}" \
    || fail 'the owner cannot sign in'
}
signed_in() { curl -sf -b cookies "$url/api/session" | grep -q "$owner_email" || fail 'the owner is not signed in'; }
# A Postgres server of this script's own, in the folder pg. It never runs as root.
bin=$(find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -1 || true)
export PATH=${bin:+$bin:}$PATH
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid postgres --regid postgres --init-groups "$@"; else "$@"; fi; }
start_postgres() {
  mkdir -p pg; [ "$(id -u)" != 0 ] || chown postgres pg
  [ -f pg/PG_VERSION ] || as initdb -D pg -U postgres -A trust -E UTF8 > /dev/null
  as pg_ctl -D pg -w -o "-p $1 -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off" -l pg/log start > /dev/null
}
stop_postgres() { [ ! -f pg/postmaster.pid ] || as pg_ctl -D pg -m immediate stop > /dev/null; }
