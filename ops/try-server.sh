#!/usr/bin/env bash
# Tries docs/run/install.md, "On a server": in a clean Debian with systemd, types every line of the page, then opens the page
# with its certificate, which comes from pebble, an authority for trials. Run it as root, with debootstrap, systemd-nspawn,
# pebble and the network; ports 80, 443, 3000, 5432 and 14000 have to be free:
#   ops/try-server.sh dist/cellar-door-VERSION.tgz [FOLDER]
# FOLDER keeps the clean Debian for the next time.
set -euo pipefail

release=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
keep=$(realpath -m "${2:-$(mktemp -d)}")
work=$keep/server
mkdir -p "$keep"
if [ ! -d "$keep/clean" ]; then
  rm -rf "$keep/making"
  debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,ca-certificates,curl bookworm "$keep/making" http://deb.debian.org/debian
  mv "$keep/making" "$keep/clean"
fi
rm -rf "$work"
cp -a "$keep/clean" "$work"
cp "$release" "$here/try-common.sh" "$work/root/"
cp /usr/bin/pebble /usr/bin/pebble-challtestsrv "$work/usr/local/bin/"

# The lines of the page, with the name of the trial.
awk '/^## /{on = $0 == "## On a server"} on && /^```/{n++; next} on && n == 1' "$here/../docs/run/install.md" |
  sed 's#//club\.example#//wine.test#; s/YOUR NAME/wine.test/; s/cellar-door-VERSION/'"$(basename "$release" .tgz)"'/' > "$work/root/page.txt"
[ "$(wc -l < "$work/root/page.txt")" -gt 10 ] || { echo 'The page has no lines'; exit 1; }

# The settings for a registry behind a proxy.
settings=$(env | grep -E '^(npm_config_|https?_proxy=|HTTPS?_PROXY=|no_proxy=|NO_PROXY=)' || true)
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  cp -L "$NODE_EXTRA_CA_CERTS" "$work/root/registry.pem"
  settings="$settings npm_config_cafile=/root/registry.pem"
fi

cat > "$work/root/try.sh" <<'INSIDE'
set -euo pipefail
cd /root
export HOME=/root DEBIAN_FRONTEND=noninteractive
url=https://wine.test
. ./try-common.sh
curl() { command curl --cacert /root/pebble/root.pem --resolve wine.test:443:127.0.0.1 --resolve wine.test:80:127.0.0.1 "$@"; }

mkdir pebble; cd pebble
openssl req -x509 -newkey rsa:2048 -nodes -days 9 -subj /CN=pebble -addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem 2> /dev/null
cat > config.json <<'JSON'
{"pebble":{"listenAddress":"127.0.0.1:14000","managementListenAddress":"127.0.0.1:15000","certificate":"cert.pem",
"privateKey":"key.pem","httpPort":80,"tlsPort":443}}
JSON
chmod 644 cert.pem
pebble-challtestsrv -defaultIPv6 '' -defaultIPv4 127.0.0.1 -dns01 127.0.0.1:8053 -http01 '' -https01 '' -tlsalpn01 '' \
  -management 127.0.0.1:8055 > names.txt 2>&1 &
PEBBLE_VA_NOSLEEP=1 pebble -config config.json -dnsserver 127.0.0.1:8053 > log.txt 2>&1 &
cd ..
cp pebble/cert.pem /etc/pebble.pem
mkdir -p /etc/systemd/system/caddy.service.d
printf '[Service]\nEnvironment=ACME_DIRECTORY=https://localhost:14000/dir SSL_CERT_FILE=/etc/pebble.pem\n' \
  > /etc/systemd/system/caddy.service.d/pebble.conf

began=$(date +%s)
since() { echo $(($(date +%s) - began)); }
commands=0
while IFS= read -r line; do
  case $line in journalctl*) for _ in $(seq 60); do journalctl -u cellar-door | grep -q /setup && break; sleep 1; done ;; esac
  echo "$(since) s \$ $line"
  eval "$line" > out.txt 2>&1 < /dev/null || fail "$line"
  commands=$((commands + 1))
done < page.txt
cat out.txt

for _ in $(seq 60); do command curl -sfk https://localhost:15000/roots/0 > pebble/root.pem && curl -sf -o /dev/null "$url/login" && break; sleep 1; done
curl -sf -o /dev/null "$url/login" || { tail -n 20 pebble/log.txt; journalctl -u caddy -u cellar-door | tail -n 20; fail 'no page with a certificate'; }
echo "$(since) s: $url/login opens with a certificate of $(curl -sv "$url/login" 2>&1 | sed -n 's/^\*  issuer: //p')"
make_owner; sign_in; signed_in
echo "$(since) s, $commands commands: the owner is signed in"

[ "$(command curl -s -o /dev/null -w '%{http_code}' -H 'Host: wine.test' http://127.0.0.1/api/session)" = 403 ] || fail 'the API answers over http'
systemd-run --quiet --pipe --wait -p User=cellar-door -p EnvironmentFile=/etc/cellar-door/env \
  -E DATA_DIR=/var/lib/cellar-door cellar-door staff add bar@wine.test > out.txt 2>&1 || fail 'staff add'
grep -q 'https://wine.test' out.txt || fail 'no link for the bar'
systemctl restart cellar-door
for _ in $(seq 60); do curl -sf -o /dev/null "$url/readyz" && break; sleep 1; done
signed_in
[ "$(runuser -u postgres -- psql -At cellar-door -c 'select count(*) > 0 from profiles')" = t ] || fail 'no rows in Postgres'
echo "after a restart the owner is still signed in"
systemd-analyze security cellar-door.service --no-pager | tail -n 1 || true
echo 'The page works.'
INSIDE
cat > "$work/etc/systemd/system/try.service" <<UNIT
[Unit]
After=multi-user.target network-online.target
[Service]
Type=oneshot
Environment=$(echo $settings)
ExecStart=/bin/bash -c 'bash /root/try.sh > /root/said.txt 2>&1; echo \$? > /root/code.txt'
ExecStopPost=/bin/systemctl --no-block poweroff
[Install]
WantedBy=default.target
UNIT
chroot "$work" systemctl enable --quiet try.service
systemd-nspawn --quiet --directory="$work" --boot --register=no --keep-unit --resolv-conf=copy-host > "$keep/console.txt" 2>&1 < /dev/null || true
cat "$work/root/said.txt"
exit "$(cat "$work/root/code.txt")"
