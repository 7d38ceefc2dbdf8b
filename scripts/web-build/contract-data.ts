import { minifyContractRouter } from '@orpc/contract';
import type { Plugin } from 'vite';
import { authRoutes } from '../../src/contract/auth/auth-routes.ts';
import { contract } from '../../src/contract/index.ts';

/** The browser needs the method and path of each call; zod's schemas would be far larger. */
export function contractData(): Plugin {
  const contractRoutes = JSON.parse(
    JSON.stringify(minifyContractRouter(contract), (key, value) =>
      key === 'route'
        ? { method: value.method, path: value.path, inputStructure: value.inputStructure }
        : value,
    ),
  );
  const modules: Record<string, unknown> = {
    'virtual:contract': contractRoutes,
    'virtual:auth-routes': authRoutes(),
  };
  return {
    name: 'cellar-door:contract-data',
    resolveId: (source) => (source in modules ? `\0${source}` : null),
    load: (id) =>
      id.startsWith('\0virtual:') && id.slice(1) in modules
        ? `export default ${JSON.stringify(modules[id.slice(1)])}`
        : null,
  };
}
