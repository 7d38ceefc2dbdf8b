#!/usr/bin/env bash
# Tries the update of a release: to one with another migration, to one whose migration fails, with the power cut in the
# middle, without a backup, and with two servers at once; on the embedded database and on a Postgres server. The later
# releases are made here, from the first one. Run it as any account, with npm, Postgres' programs and the network:
#   ops/try-update.sh dist/cellar-door-VERSION.tgz [FOLDER]
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=ops/try-common.sh
. "$here/try-common.sh"
begin_trial 3910 "$@"

# make VERSION SQL: a release with that version and the statements as its last migration.
make() {
  rm -rf making; mkdir making; tar -xzf "$release" -C making
  node - making/package "$1" "$2" <<'NODE'
const { readFileSync, writeFileSync } = require('node:fs');
const [folder, version, statements] = process.argv.slice(2);
const change = (file, edit) => {
  const content = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
  edit(content);
  writeFileSync(`${folder}/${file}`, JSON.stringify(content));
};
change('package.json', (it) => { it.version = version; });
const migrations = 'src/server/db/migrations';
writeFileSync(`${folder}/${migrations}/9000_later.sql`, statements);
change(`${migrations}/meta/_journal.json`, ({ entries }) => {
  entries.push({ ...entries.at(-1), idx: entries.length, tag: '9000_later', when: entries.at(-1).when + 1_000 });
});
NODE
  (cd making/package && npm pack --silent --pack-destination "$work" > /dev/null)
}
# Only the first install asks the registry: the others find everything in npm's cache.
cached=
install() {
  npm install --silent --no-audit --no-fund $cached --global --prefix "$work/installed" "$1" > npm.txt 2>&1 || fail "npm: $(cat npm.txt)"
  cached=--offline
}
cellar_door() { "$work/installed/bin/cellar-door" "$@"; }
installed=$work/installed/lib/node_modules/cellar-door
start() { begin "$work/installed/bin/cellar-door" start; opened; }
# refused TEXT: the start ends with code 3 and says so.
refused() {
  begin "$work/installed/bin/cellar-door" start
  local code=0; wait "$server" || code=$?; server=
  [ $code = 3 ] || fail "the start exits with $code, not 3"
  grep -q "$1" out.txt || fail "the start does not say: $1"
}

# Every table with its columns and rows, and every function, as one checksum.
cat > read.mjs <<'NODE'
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { cpSync, rmSync } from 'node:fs';
const [release, dataDir, only] = process.argv.slice(2);
const require = createRequire(`${release}/package.json`);
let query, close;
if (process.env.DATABASE_URL) {
  const { Client } = require('pg');
  const client = new Client(process.env.DATABASE_URL);
  await client.connect();
  query = (text) => client.query(text);
  close = () => client.end();
} else {
  const { PGlite } = require('@electric-sql/pglite');
  const { pg_trgm } = require('@electric-sql/pglite/contrib/pg_trgm');
  // Opening changes files, so a copy is opened.
  cpSync(`${dataDir}/db`, 'copy', { recursive: true });
  const client = await PGlite.create({ dataDir: 'copy', extensions: { pg_trgm } });
  query = (text) => client.query(text);
  close = async () => { await client.close(); rmSync('copy', { recursive: true }); };
}
const rows = async (text) => (await query(text)).rows;
if (only) console.log((await rows(only)).map((it) => Object.values(it).join(' ')).join('\n'));
else {
  const all = [await rows(`select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1, 2`)];
  const tables = await rows(`select schemaname || '."' || tablename || '"' as name from pg_tables where schemaname in ('public', 'drizzle') order by 1`);
  let count = 0;
  for (const { name } of tables) {
    const found = await rows(`select it::text from ${name} it order by 1`);
    count += found.length;
    all.push(name, await rows(`select attname, atttypid from pg_attribute where attrelid = '${name}'::regclass order by attnum`), found);
  }
  console.log(`${tables.length} tables, ${count} rows, ${createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16)}`);
}
await close();
NODE
content() { "$installed"/node_modules/node-*/bin/node read.mjs "$installed" "$DATA_DIR" "${1:-}"; }
unchanged() { local now; now=$(content); [ "$now" = "$1" ] || fail "the data changed: $1, now $now"; say "   unchanged: $now"; }

version=$(tar -xzOf "$release" package/package.json | node -p 'JSON.parse(require("fs").readFileSync(0)).version')
cp "$release" "cellar-door-$version.tgz"
make 100.0.0 'create table of_the_update (it integer); --> statement-breakpoint
insert into of_the_update values (1);'
# Long enough to be killed in, on either database.
make 101.0.0 "create table of_the_update (it integer); --> statement-breakpoint
insert into of_the_update select (sum(hashtext(i::text || j)) % 1000)::integer from generate_series(1, 6000) i, generate_series(1, 6000) j;"
make 102.0.0 'create table of_the_update (it integer); --> statement-breakpoint
update profiles set first_name = $$nobody$$; --> statement-breakpoint
alter table profiles add column glasses integer not null;'
say "releases made: $version, 100.0.0, 101.0.0 (slow), 102.0.0 (fails)"

trial() {
  export DATA_DIR=$work/data-$1
  backups=$DATA_DIR/backups
  say "== $1"
  install "./cellar-door-$version.tgz"
  begin "$work/installed/bin/cellar-door" start; opened
  make_owner; sign_in; signed_in; stop
  before=$(content); say "$version has $before"

  install ./cellar-door-102.0.0.tgz
  for _ in 1 2; do refused "npm install -g ./cellar-door-$version.tgz"; done
  grep -A3 '^The update' out.txt | sed 's/^/   | /'
  [ "$(ls "$backups" | grep -c 'before-102')" = 1 ] || fail "backups: $(ls "$backups")"
  say "a failing migration: refused twice, one backup: $(ls "$backups" | grep before-102)"
  unchanged "$before"
  $(grep -o 'npm install -g .*' out.txt | sed "s|-g|-g --silent --offline --prefix $work/installed|") > npm.txt 2>&1
  start; signed_in; stop
  say "the printed command puts $version back; the owner is still signed in"

  before=$(content)
  install ./cellar-door-101.0.0.tgz
  begin "$work/installed/bin/cellar-door" start
  # Until the backup is there, the migration has not begun.
  until ls "$backups" 2>/dev/null | grep -q 'before-101'; do kill -0 "$server" || fail 'it ended early'; sleep 0.1; done
  sleep 1
  kill -0 "$server" 2>/dev/null || fail 'the migration was over before the power cut'
  grep -q 'Press Ctrl-C' out.txt && fail 'the migration was over before the power cut'
  kill -KILL "$(cat "$DATA_DIR/server.pid")"; wait "$server" || true; server=
  [ -z "${DATABASE_URL:-}" ] || { stop_postgres; rm -f pg/postmaster.pid; start_postgres 3912; }
  sleep 1
  say 'killed in the middle of a migration'
  unchanged "$before"
  touch "$backups/.cellar-door-2026-01-01T000000Z-before-101.0.0.tar.gz.unfinished"
  start; signed_in
  stop
  [ "$(content 'select count(*) from of_the_update')" = 1 ] || fail 'the update is not there'
  [ -z "$(ls -A "$backups" | grep unfinished)" ] || fail "left: $(ls -A "$backups")"
  say "the next start updates to 101.0.0: $(ls "$backups" | grep before-101)"

  install "./cellar-door-$version.tgz"
  refused 'made by a newer version'
  grep -A1 'newer version' out.txt | head -1 | sed 's/^/   | /'
  say "$version refuses the newer database"
}

start_postgres 3912
trial embedded
# The way back from an update, as docs/run/upgrade.md says.
rm -rf "$DATA_DIR/backups/"*before-100*
cellar_door restore "$(ls "$backups"/*before-101*)" --replace > out.txt || fail 'no restore'
start; signed_in; stop
say "restored the backup from before the update with $version: the owner is still signed in"

psql -q "postgres://postgres@127.0.0.1:3912/postgres" -c "create role club login createrole password 'p:\\a ss'" -c 'create database club owner club'
export DATABASE_URL='postgres://club:p%3A%5Ca%20ss@127.0.0.1:3912/club'
trial postgres
psql -q "postgres://postgres@127.0.0.1:3912/postgres" -c 'drop database club' -c 'create database club owner club'
pg_restore --no-owner --no-acl --dbname="$DATABASE_URL" "$(ls "$backups"/*before-101*)"
start; signed_in; stop
say "restored the dump from before the update with $version: the owner is still signed in"

before=$(content)
install ./cellar-door-100.0.0.tgz
mkdir -p without; ln -sf "$(command -v node)" "$(command -v grep)" "$(command -v tail)" /usr/bin/env without/
(PATH=$work/without; refused 'pg_dump is not installed')
grep '^The update' out.txt | sed 's/^/   | /'
say 'without pg_dump: refused'
unchanged "$before"
AUTH_SECRET=$(node -p "JSON.parse(require('fs').readFileSync('$DATA_DIR/secrets.json')).auth")
PORT=3911 DATA_DIR=$work/data-second AUTH_SECRET=$AUTH_SECRET "$work/installed/bin/cellar-door" start > second.txt 2>&1 & second=$!
start
until grep -q 'Press Ctrl-C' second.txt; do kill -0 $second || fail "the second server ended: $(cat second.txt)"; sleep 0.2; done
signed_in
kill -TERM $second; wait $second || true
stop
[ "$(cat out.txt second.txt | grep -c 'the database is updated')" = 1 ] || fail 'not exactly one of two servers updated'
[ "$(content 'select count(*) from of_the_update')" = 1 ] || fail 'the update is not there once'
say 'two servers at once: one updated, both serve'
say "$(du -h "$release" | cut -f1) a release. The update works."
