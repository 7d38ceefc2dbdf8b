import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { browserCount, emptyFolders, slowestFiles, vitestCount } from './test-reports.ts';
import { type Outcome, runStep, type Step } from './test-steps.ts';

const root = resolve(import.meta.dirname, '..');
const results = join(root, 'test-results');
const vitestReports = ['server', 'races', 'screens'].map((name) => join(results, `${name}.json`));
const browserReport = join(results, 'browser.json');

const CHECKS: Step[] = [
  {
    name: 'format and lint',
    command: ['biome', 'check', '--error-on-warnings', '.'],
    needs: ['biome.json', 'src'],
  },
  // Each additional checker repeats the work on the libraries' types, too much for two processors.
  { name: 'types', command: ['tsc', '--noEmit', '--checkers', '1'], needs: ['tsconfig.json', 'src'] },
  { name: 'unused code', command: ['knip', '--no-progress'], needs: ['knip.json'] },
];
const BUILD: Step = {
  name: 'build',
  command: ['node', 'scripts/build.ts'],
  needs: ['vite.config.ts', 'vite.server.config.ts', 'src/web'],
};

/** `report` is one of vitestReports. */
function vitest(
  name: string,
  report: 'server' | 'races' | 'screens',
  folders: string[],
  projects: string[],
  ...options: string[]
): Step {
  return {
    name,
    command: [
      'vitest',
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      ...options,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${join(results, `${report}.json`)}`,
    ],
    needs: folders.map((folder) => `tests/${folder}`),
    shown: true,
  };
}

const BROWSER: Step = {
  name: 'browser',
  command: ['playwright', 'test', '--reporter=list,json'],
  needs: ['tests/e2e', 'playwright.config.ts'],
  shown: true,
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: browserReport },
};

const QUICK_FOLDERS = ['contract', 'domain', 'rules', 'web'];
const SERVER_FOLDERS = ['sandbox', 'scenarios', 'server'];

/** The steps of a phase run side by side; the next phase starts when all of them but those with `yields` have passed. */
const RUNS: Record<'all' | 'quick', { phases: Step[][]; folders: string[] }> = {
  all: {
    phases: [
      [...CHECKS, BUILD],
      // Tests with processes, browsers or a real Postgres mostly wait: the tests of rules and screens use that time. Beside
      // the server's tests, races about a silent database would mistake a slow response for silence.
      [
        vitest('server', 'server', SERVER_FOLDERS, ['server'], '--maxWorkers=3'),
        { ...vitest('rules and screens', 'screens', QUICK_FOLDERS, ['unit', 'web']), yields: true },
      ],
      [BROWSER, vitest('races', 'races', ['race'], ['race'])],
    ],
    folders: [...QUICK_FOLDERS, ...SERVER_FOLDERS, 'race', 'e2e'],
  },
  quick: {
    phases: [
      CHECKS,
      [
        vitest(
          'rules and screens',
          'screens',
          QUICK_FOLDERS,
          ['unit', 'web'],
          '--exclude',
          '**/scanner-corpus.test.ts',
        ),
      ],
    ],
    folders: QUICK_FOLDERS,
  },
};

const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1);

async function main(isQuick: boolean): Promise<boolean> {
  const { phases, folders } = isQuick ? RUNS.quick : RUNS.all;
  const start = performance.now();
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const outcomes: Outcome[] = [];
  const laterSteps: Promise<Outcome>[] = [];
  for (const phase of phases) {
    const steps: Promise<Outcome>[] = [];
    for (const step of phase) (step.yields ? laterSteps : steps).push(runStep(root, step));
    outcomes.push(...(await Promise.all(steps)));
    if (outcomes.some(({ problem }) => problem)) break;
  }
  outcomes.push(...(await Promise.all(laterSteps)));
  const counts = [...vitestReports.map((it) => vitestCount(root, it)), browserCount(browserReport)];
  const sum = (key: 'passed' | 'failed' | 'skipped') =>
    counts.reduce((total, count) => total + count[key], 0);
  const problems = outcomes.flatMap(({ name, problem }) => (problem ? [`${name}: ${problem}`] : []));
  if (problems.length === 0) {
    const files = counts.flatMap(({ files }) => files.map(({ file }) => file));
    const idleFolders = emptyFolders(root, folders, files, !isQuick);
    problems.push(...idleFolders.map((folder) => `no test ran in tests/${folder}`));
  }
  console.log('\nSlowest files:');
  for (const line of slowestFiles(counts)) console.log(line);
  const notRun = phases.flat().length - outcomes.length;
  console.log(`\n${seconds(start)} s in total, ${sum('skipped')} tests skipped`);
  for (const problem of problems) console.log(`✗ ${problem}`);
  if (notRun > 0) console.log(`${notRun} later ${notRun === 1 ? 'step was' : 'steps were'} not run`);
  const failures = Math.max(sum('failed'), problems.length > 0 ? 1 : 0);
  console.log(`${sum('passed')} passed, ${failures} failed`);
  return failures === 0 && sum('passed') > 0;
}

const isQuick = process.argv.includes('--quick');
if (!(await main(isQuick))) process.exitCode = 1;
