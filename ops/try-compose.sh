#!/usr/bin/env bash
# Tries compose.yaml of a release: builds the image, starts all parts, opens the page with a certificate of pebble (an
# authority for trials), signs an owner in, looks at what each part may do, makes backups and starts everything again. Run
# it as root, with podman, podman-compose and pebble:
#   ops/try-compose.sh dist/cellar-door-VERSION.tgz [FOLDER]
# BASE, POSTGRES_IMAGE and CADDY_IMAGE name other images than the official ones, and BUILD other options of podman build.
set -euo pipefail

release=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
work=$(realpath -m "${2:-$(mktemp -d)}")
rm -rf "$work/cellar-door-try" "$work/pebble"
mkdir -p "$work/cellar-door-try" "$work/pebble"
tar -xzf "$release" -C "$work/cellar-door-try" --strip-components=1
url=https://club.example
cd "$work/pebble"
cp "$(command -v pebble)" "$(command -v pebble-challtestsrv)" .
openssl req -x509 -newkey rsa:2048 -nodes -days 9 -subj /CN=pebble -addext subjectAltName=DNS:pebble -keyout key.pem -out cert.pem 2> /dev/null
cat > config.json <<'JSON'
{"pebble":{"listenAddress":"0.0.0.0:14000","managementListenAddress":"0.0.0.0:15000","certificate":"/pebble/cert.pem",
"privateKey":"/pebble/key.pem","httpPort":80,"tlsPort":443}}
JSON
cat > run.sh <<'INSIDE'
until ip=$(getent ahostsv4 caddy | head -1 | cut -d' ' -f1) && [ -n "$ip" ]; do sleep 1; done
/pebble/pebble-challtestsrv -defaultIPv6 '' -defaultIPv4 "$ip" -dns01 127.0.0.1:8053 -http01 '' -https01 '' -tlsalpn01 '' -management 127.0.0.1:8055 &
exec /pebble/pebble -config /pebble/config.json -dnsserver 127.0.0.1:8053
INSIDE
chmod 644 ./*.pem
cd "$work/cellar-door-try"
cat > .env <<END
CELLAR_DOOR_HOST=club.example
ACME_EMAIL=operator@club.example
DATABASE_PASSWORD=$(openssl rand -hex 24)
AUTH_SECRET=$(openssl rand -base64 32)
ACME_DIRECTORY=https://pebble:14000/dir
END
[ -z "${POSTGRES_IMAGE:-}" ] || echo "POSTGRES_IMAGE=$POSTGRES_IMAGE" >> .env
[ -z "${CADDY_IMAGE:-}" ] || echo "CADDY_IMAGE=$CADDY_IMAGE" >> .env
cat > try.yaml <<END
services:
  caddy:
    environment: { SSL_CERT_FILE: /pebble/cert.pem }
    volumes: ["$work/pebble:/pebble:ro"]
  pebble:
    image: ${CADDY_IMAGE:-docker.io/library/caddy:2}
    environment: { PEBBLE_VA_NOSLEEP: 1 }
    entrypoint: [/bin/sh, /pebble/run.sh]
    volumes: ["$work/pebble:/pebble:ro"]
    networks: [front]
END
compose() { podman-compose -f compose.yaml -f try.yaml "$@" < /dev/null > up.txt 2>&1 || { tail -n 20 up.txt; exit 1; }; }
of() { echo "cellar-door-try_$1_1"; }
address() { podman inspect "$(of "$1")" --format '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' 2> /dev/null; }
. "$here/try-common.sh"
trap 'compose down' EXIT
curl() { command curl --cacert root.pem --resolve "club.example:443:$(address caddy)" --resolve "club.example:80:$(address caddy)" "$@"; }
is_open() {
  local _
  for _ in $(seq 90); do
    podman logs "$(of app)" > out.txt 2>&1 || true
    # Pebble makes another authority at each start.
    [ -s root.pem ] || command curl -sfk "https://$(address pebble):15000/roots/0" > root.pem || true
    grep -q 'Press Ctrl-C to stop' out.txt && curl -sf -o /dev/null "$url/login" && return
    sleep 1
  done
  podman logs "$(of caddy)" 2>&1 | tail -n 5
  fail "$url does not open"
}

# shellcheck disable=SC2086
podman build ${BASE:+--build-arg BASE=$BASE} ${BUILD:-} -f Containerfile -t cellar-door . > build.txt 2>&1 < /dev/null || { tail build.txt; exit 1; }
say "the image: $(podman image inspect cellar-door --format '{{.Size}}' 2> /dev/null | awk '{print int($1 / 1e6)}') MB, of them its base $(podman image inspect "${BASE:-docker.io/library/node:24.21.0-bookworm-slim}" --format '{{.Size}}' 2> /dev/null | awk '{print int($1 / 1e6)}') MB"
podman volume rm -f $(podman volume ls -q --filter name=cellar-door-try 2> /dev/null) > /dev/null 2>&1 || true
compose up -d
is_open
say "$url opens with a certificate of $(curl -sv "$url/login" 2>&1 | sed -n 's/^\*  issuer: //p')"
make_owner; sign_in; signed_in
say 'the owner is signed in'
[ "$(curl -s -o /dev/null -w '%{http_code}' http://club.example/api/session)" = 403 ] || fail 'the API answers over http'

for part in app database caddy backup; do
  # The first backup comes with the second start.
  [ $part != backup ] || { compose down; compose up -d; is_open; signed_in; sleep 5; }
  now=$(podman exec "$(of $part)" sh -c 'id -u; touch /usr/x 2>&1; grep -E "^(CapEff|NoNewPrivs)" /proc/1/status' 2> /dev/null < /dev/null | tr -s '\n\t' '  ')
  case $now in 0\ *) fail "$part runs as root" ;; *Read-only*NoNewPrivs:\ 1*) ;; *) fail "$part: $now" ;; esac
  podman healthcheck run "$(of $part)" > /dev/null 2>&1 < /dev/null || fail "$part is not healthy"
  say "$part is healthy; account ${now%% *}, nothing but its volumes can be written, capabilities $(sed 's/.*CapEff: \([0-9a-f]*\).*/\1/' <<< "$now")"
done

say 'stopped and started again: the owner is still signed in'
podman logs "$(of backup-before-start)" 2> /dev/null < /dev/null | grep 'is made' || fail 'no backup before the start'
podman exec "$(of backup)" sh -c 'pg_restore --list /backups/*-before-start.dump | grep -c "TABLE DATA"' 2> /dev/null < /dev/null | sed 's/$/ tables in the backup/'
seen=$(podman exec "$(of app)" cellar-door doctor 2> /dev/null < /dev/null | grep Backup || true)
case $seen in *before-start.dump*) say "the doctor sees$(tr -s ' ' <<< "$seen")" ;; *) fail "the doctor does not see the backup: $seen" ;; esac
say 'compose.yaml works.'
