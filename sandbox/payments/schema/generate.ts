import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { API } from 'typescript/unstable/sync';
import { API_VERSION } from '../http/version.ts';
import { createWalker, type Schema } from './walker.ts';

/**
 * Writes stripe.schema.json.gz: the JSON Schema of every object that the sandbox serves, made from the SDK's type
 * declarations and marked with the API version. Run it after each update of the SDK:
 * `node sandbox/payments/schema/generate.ts`
 */
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const compiler = new API({ cwd: here('../../..') });
try {
  const config = here('../../../tsconfig.json');
  const project = compiler.updateSnapshot({ openProjects: [config] }).getProject(config);
  if (!project) throw new Error(`No project at ${config}`);
  const { checker, program } = project;
  const file = program.getSourceFile(here('./served.ts'));
  const module = file && checker.getSymbolAtLocation(file);
  const served = module?.getExports().get('Served' as never);
  if (!served) throw new Error('served.ts declares no Served');
  const members = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(served));
  const walker = createWalker(checker, new Set(members.map((member) => member.name)));
  const objects: Record<string, Schema> = {};
  for (const member of members) {
    const type = checker.getTypeOfSymbol(member);
    if (type) objects[member.name] = walker.schemaOf(type);
  }
  const text = JSON.stringify({ api_version: API_VERSION, objects, $defs: walker.definitions });
  const packed = gzipSync(text, { level: 9 });
  writeFileSync(here('./stripe.schema.json.gz'), packed);
  console.log(
    `${Object.keys(objects).length} objects, ${Object.keys(walker.definitions).length} definitions, ${packed.length} bytes for ${API_VERSION}`,
  );
} finally {
  compiler.close();
}
