import { fileURLToPath } from 'node:url';
import { API, type Checker, SignatureKind, type Type } from 'typescript/unstable/sync';
import { allRoutes } from '../http/all-routes.ts';
import { routeKey } from '../http/routes.ts';
import { API_VERSION } from '../http/version.ts';
import { type SdkRoute, sdkRoutes } from './sdk-routes.ts';
import { createWalker, type Schema } from './walker.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The JSON Schema of every object that the sandbox serves, and of the parameters of every route that it serves, as texts
 * marked with the API version. Both come from the installed SDK: its type declarations, and the requests that its
 * resources send.
 */
export async function makeSchemas(): Promise<{ objects: string; requests: string }> {
  const routes = await sdkRoutes();
  const compiler = new API({ cwd: here('../../..') });
  try {
    const config = here('../../../tsconfig.json');
    const project = compiler.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`No project at ${config}`);
    const { checker, program } = project;
    const file = program.getSourceFile(here('./served.ts'));
    const module = file && checker.getSymbolAtLocation(file);
    const declared = (name: string): Type => {
      const symbol = module?.getExports().get(name as never);
      if (!symbol) throw new Error(`served.ts declares no ${name}`);
      return checker.getDeclaredTypeOfSymbol(symbol);
    };
    return {
      objects: objectsText(checker, declared('Served')),
      requests: requestsText(checker, declared('Client'), routes),
    };
  } finally {
    compiler.close();
  }
}

function objectsText(checker: Checker, types: Type): string {
  const members = checker.getPropertiesOfType(types);
  const walker = createWalker(checker, new Set(members.map((member) => member.name)));
  const objects: Record<string, Schema> = {};
  for (const member of members) {
    const type = checker.getTypeOfSymbol(member);
    if (type) objects[member.name] = walker.schemaOf(type);
  }
  return JSON.stringify({ api_version: API_VERSION, objects, $defs: walker.definitions });
}

function requestsText(checker: Checker, client: Type, requests: SdkRoute[]): string {
  const walker = createWalker(checker, null);
  const routesByCall = Map.groupBy(requests, ({ method, path }) => `${method} ${path}`);
  const routes: Record<string, Schema> = {};
  for (const key of allRoutes.map(routeKey)) {
    const sdk = routesByCall.get(key);
    if (!sdk) throw new Error(`The SDK has no method that requests ${key}`);
    const schemas = sdk.flatMap(({ name }) => parametersOf(checker, client, name)).map(walker.schemaOf);
    routes[key] = { anyOf: [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()] };
  }
  return JSON.stringify({ api_version: API_VERSION, routes, $defs: walker.definitions });
}

/** The types of the argument `params` of a method of the client, one for each of its signatures that has it. */
function parametersOf(checker: Checker, client: Type, name: string[]): Type[] {
  let type = client;
  for (const part of name) {
    const symbol = checker.getPropertyOfType(type, part);
    const next = symbol && checker.getTypeOfSymbol(symbol);
    if (!next) throw new Error(`The SDK declares no ${name.join('.')}`);
    type = next;
  }
  const types: Type[] = [];
  for (const signature of checker.getSignaturesOfType(type, SignatureKind.Call)) {
    const symbol = signature.getParameters().find((parameter) => parameter.name === 'params');
    const params = symbol && checker.getTypeOfSymbol(symbol);
    if (params) types.push(params);
  }
  return types;
}
