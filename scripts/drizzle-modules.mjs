import { registerHooks } from 'node:module';

// Node reads the package's description for each of its files to learn that they are modules. For drizzle-orm, whose
// description is 180 kB long, that takes a third of all loading from sources, so they are named modules here.
const DRIZZLE = '/node_modules/drizzle-orm/';
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    return specifier.startsWith('.') && specifier.endsWith('.js') && parentURL?.includes(DRIZZLE)
      ? { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context);
  },
});
