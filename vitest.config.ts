import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { dataRoot } from './tests/support/harness/data-root.ts';
import { WaitingFirst } from './tests/support/harness/sequencer.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

process.env.TEST_DATA_ROOT ??= dataRoot();

const setupFiles = ['tests/support/harness/console-guard.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    // A worker keeps its modules and its database from file to file; a module of ours must not hold a test's state.
    isolate: false,
    maxWorkers: 2,
    // Most objects of a test die young: with more room for them, fewer are kept and marked.
    execArgv: [
      '--max-semi-space-size=64',
      `--import=${new URL('./scripts/drizzle-modules.mjs', import.meta.url)}`,
    ],
    testTimeout: 40_000,
    hookTimeout: 60_000,
    // A wait ends as soon as its condition holds; the default of one second is too short for a busy processor.
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: WaitingFirst },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    allowOnly: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/{domain,rules,contract}/**/*.test.{ts,tsx}'],
          setupFiles,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['tests/{server,sandbox,scenarios}/**/*.test.ts'],
          setupFiles,
        },
      },
      {
        extends: true,
        test: {
          name: 'race',
          include: ['tests/race/**/*.test.ts'],
          setupFiles,
          globalSetup: ['tests/support/harness/postgres-setup.ts'],
          // The callers of one race are enough for the processors.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          // Not part of the whole run: these engines come from the system.
          name: 'engines',
          include: ['tests/engines/**/*.test.ts'],
          setupFiles,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        resolve: {
          alias: {
            'virtual:auth-routes': at('./tests/support/web/auth-routes.ts'),
            'virtual:contract': at('./tests/support/web/contract-routes.ts'),
            'virtual:handbook': at('./tests/support/web/handbook.ts'),
          },
        },
        test: {
          name: 'web',
          include: ['tests/web/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          setupFiles: [...setupFiles, 'tests/support/harness/testing-library.ts'],
        },
      },
    ],
  },
});
