import { execFileSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildAll } from './builds.ts';
import { shippedPackages } from './release/shipped-packages.ts';
import { stageRelease } from './release/stage.ts';

// Makes dist/cellar-door-VERSION.tgz: what npm installs on a server, without sources and build tools.
const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'dist/release');

await buildAll();
stageRelease(folder);
writeFileSync(join(folder, 'sbom.json'), JSON.stringify(billOfMaterials(), null, 1));

const [archive] = JSON.parse(npm(['pack', '--json', '--pack-destination', join(root, 'dist')], folder)) as [
  { filename: string; unpackedSize: number; files: { path: string }[] },
];
const inArchive = new Set(archive.files.map(({ path }) => path));
const leftOut = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((it) => it.isFile())
  .map((it) => join(it.parentPath, it.name).slice(folder.length + 1))
  .filter((path) => !inArchive.has(path));
if (leftOut.length > 0) throw new Error(`npm pack left out ${leftOut.join(', ')}`);
const file = join(root, 'dist', archive.filename);
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
console.log(`${file}\n${megabytes(statSync(file).size)}, ${megabytes(archive.unpackedSize)} unpacked`);

function npm(args: string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 256_000_000 });
}

function billOfMaterials() {
  interface Bom {
    components: { name: string; group?: string; version: string; 'bom-ref': string }[];
    dependencies: { ref: string; dependsOn: string[] }[];
    metadata: { component: { 'bom-ref': string } };
  }
  const bill = JSON.parse(
    npm(['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'], root),
  ) as Bom;
  const names = new Set(shippedPackages(root).map(({ name, version }) => `${name}@${version}`));
  const components = bill.components.filter(({ group, name, version }) =>
    names.has(`${group ? `${group}/` : ''}${name}@${version}`),
  );
  const refs = new Set([bill.metadata.component['bom-ref'], ...components.map((it) => it['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((it) => refs.has(it)) }));
  return { ...bill, components, dependencies };
}
