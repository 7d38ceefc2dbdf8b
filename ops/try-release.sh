#!/usr/bin/env bash
# Tries a release where nothing else is: makes a clean Debian with its nodejs and npm, installs the release there, starts
# the demo, signs its member in and stops it. Run it as root, with debootstrap and the network:
#   ops/try-release.sh dist/cellar-door-VERSION.tgz [FOLDER]
# FOLDER keeps the clean Debian for the next time. npm's settings are passed on by its own variables (npm_config_registry).
set -euo pipefail

release=$(realpath "$1")
keep=$(realpath -m "${2:-$(mktemp -d)}")
work=$keep/tried
trap 'rm -rf "$work"; [ $# -gt 1 ] || rm -rf "$keep"' EXIT

if [ ! -d "$keep/debian" ]; then
  rm -rf "$keep/making"
  debootstrap --variant=minbase bookworm "$keep/making" http://deb.debian.org/debian
  cp -L /etc/resolv.conf "$keep/making/etc/resolv.conf"
  chroot "$keep/making" apt-get install -y -q --no-install-recommends nodejs npm ca-certificates curl
  mv "$keep/making" "$keep/debian"
fi
rm -rf "$work"
cp -a "$keep/debian" "$work"
# The certificates for a registry behind a proxy.
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then cp -L "$NODE_EXTRA_CA_CERTS" "$work/etc/ssl/certs/ca-certificates.crt"; fi
cp "$release" "$work/root/cellar-door.tgz"

cat > "$work/root/try.sh" <<'INSIDE'
set -euo pipefail
mount -t proc proc /proc
cd /root
since=$(date +%s.%N)
seconds() { echo "$(date +%s.%N) $since" | awk '{ printf "%.1f s: ", $1 - $2 }'; echo "$1"; }
fail() { echo "FAILED: $1"; cat out.txt 2>/dev/null; exit 1; }

echo "Node $(node --version), npm $(npm --version)"
npm install -g ./cellar-door.tgz
seconds "installed, $(du -sm "$(npm root -g)/cellar-door" | cut -f1) MB"

cellar-door --help > out.txt || fail 'cellar-door --help'
code=0; cellar-door sell > out.txt 2>&1 || code=$?
[ $code = 2 ] || fail "a wrong command exits with $code"
code=0; HOST=0.0.0.0 cellar-door start > out.txt 2>&1 || code=$?
{ [ $code = 1 ] && grep -q 'PUBLIC_URL is required' out.txt; } || fail "a club open to others without its URL exits with $code"
echo 'PUBLIC_ULR=https://club.example' > .env
code=0; cellar-door start > out.txt 2>&1 || code=$?
{ [ $code = 1 ] && grep -q 'is it PUBLIC_URL?' out.txt; } || fail "a misspelt name in .env exits with $code"
rm .env
[ ! -e data ] || fail 'a start that was refused made a data folder'

# A club needs nothing on localhost: no URL, no key of Stripe.
cellar-door start > out.txt 2>&1 &
club=$!
until grep -q 'Press Ctrl-C to stop' out.txt; do
  kill -0 $club 2>/dev/null || fail 'the club ended'
  sleep 0.2
done
grep -q 'Payments are off' out.txt || fail 'a club without a key says nothing of it'
kill -TERM $club
wait $club || fail 'the stopped club failed'
rm -r data

started=$(date +%s.%N)
cellar-door demo > out.txt 2>&1 &
demo=$!
until grep -q 'Press Ctrl-C to stop' out.txt; do
  kill -0 $demo 2>/dev/null || fail 'the demo ended'
  sleep 0.2
done
echo "$(date +%s.%N) $started" | awk '{ printf "%.1f s from cellar-door demo to its URL\n", $1 - $2 }'
url=http://localhost:3000
page=$(curl -sf "$url/login") || fail 'no /login'
asset=$(grep -o '/assets/[^"]*\.js' <<< "$page" | head -1)
curl -sf --compressed -o asset.js -D headers.txt "$url$asset" || fail "no $asset"
grep -qi 'content-encoding: \(br\|gzip\)' headers.txt || fail "$asset is not compressed"
curl -sf -c cookies -H "Origin: $url" -H 'Content-Type: application/json' -o /dev/null \
  -d '{"email":"member@demo.test","password":"cellar-door-demo"}' "$url/api/auth/sign-in" || fail 'the member cannot sign in'
curl -sf -b cookies "$url/api/session" | grep -q 'member@demo.test' || fail 'the member is not signed in'
curl -sf -b cookies "$url/dashboard" > /dev/null || fail 'no /dashboard'
seconds 'a member is signed in'

kill -TERM $demo
code=0; wait $demo || code=$?
[ $code = 0 ] || fail "the stopped demo exits with $code"
[ ! -e data ] || fail 'the demo wrote to the folder of a club'
[ -d demo-data/db ] || fail 'the demo has no folder of its own'

# A killed launcher leaves no server behind.
cellar-door demo > out.txt 2>&1 &
demo=$!
until grep -q 'Press Ctrl-C to stop' out.txt; do sleep 0.2; done
kill -KILL $demo
for _ in $(seq 100); do curl -s -o /dev/null "$url/healthz" || break; sleep 0.2; done
if curl -s -o /dev/null "$url/healthz"; then fail 'the server outlives its launcher'; fi
echo 'The release works.'
INSIDE
# The processes and mounts of the trial end with it; npm needs devices.
unshare --mount --pid --fork --kill-child bash -c '
  mount --bind /dev "$1/dev" && exec chroot "$1" /usr/bin/env -i HOME=/root PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
    "${@:2}" bash /root/try.sh
' -- "$work" $(env | grep -E '^(npm_config_|https?_proxy=|HTTPS?_PROXY=|no_proxy=|NO_PROXY=)' || true) \
  ${NODE_EXTRA_CA_CERTS:+npm_config_cafile=/etc/ssl/certs/ca-certificates.crt}
