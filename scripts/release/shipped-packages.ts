import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Lock {
  packages: Record<string, Locked>;
}
interface Locked {
  version?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface ShippedPackage {
  name: string;
  version: string;
  license: string;
  path: string;
}

/** Packages whose styles or fonts a release contains without an import. */
const WITHOUT_IMPORT = ['tailwindcss', '@fontsource-variable/figtree', '@fontsource-variable/fraunces'];
const CODE = '{src,sandbox,scripts/{commands,demo,release,serve}}/**/*.{ts,tsx}';
/** The generators of the sandbox's files are not part of a release. */
const GENERATORS = 'sandbox/payments/schema/**';
const IMPORTED = /(?:from|import\()\s*'(?!node:)((?:@[\w.-]+\/)?[\w-][\w.-]*)/g;

/** The packages that a release has in its bundles or installs, with all they need. */
export function shippedPackages(root: string): ShippedPackage[] {
  const imports = globSync(CODE, { cwd: root, exclude: [GENERATORS] }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(IMPORTED)].map(([, name = '']) => name),
  );
  return withAllTheyNeed(root, [...imports, ...WITHOUT_IMPORT]);
}

/** The packages by these names, and all they need, in the versions of the lock file. Names of other things are left out. */
export function withAllTheyNeed(root: string, names: string[]): ShippedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const shipment = new Map<string, ShippedPackage>();
  /** Looks for a package as Node does: in the folder that needs it, and in those above. */
  const find = (name: string, from: string): string | null => {
    const path = `${from && `${from}/`}node_modules/${name}`;
    if (packages[path]) return path;
    return from === '' ? null : find(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
  };
  const add = (name: string, from: string) => {
    const path = find(name, from);
    const entry = path && packages[path];
    if (!entry || shipment.has(path)) return;
    shipment.set(path, { name, version: entry.version ?? '', license: entry.license ?? 'unknown', path });
    for (const dependency of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      add(dependency, path);
  };
  for (const name of names) add(name, '');
  return [...shipment.values()].sort((one, other) => one.path.localeCompare(other.path));
}

/** The licenses of packages, each text once, below the packages that it applies to. */
export function licensesOf(root: string, packages: ShippedPackage[]): string {
  const byText = new Map<string, string[]>();
  for (const { name, version, license, path } of packages) {
    const text = licenseText(join(root, path)) || `License: ${license}`;
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  return `Cellar Door has parts of these packages, or installs them.\n\n${parts.join(`\n${'-'.repeat(72)}\n\n`)}`;
}

function licenseText(folder: string): string {
  try {
    return readdirSync(folder)
      .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8').trim())
      .join('\n\n');
  } catch {
    return '';
  }
}
