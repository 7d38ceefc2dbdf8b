import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join, relative, resolve, sep } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const results = join(root, 'test-results');
const vitestReport = join(results, 'vitest.json');
const browserReport = join(results, 'browser.json');
const requiredFolders = ['domain', 'rules', 'server', 'scenarios', 'sandbox', 'race', 'web', 'e2e'];

type Step = {
  name: string;
  command: string[];
  needs: string[];
  shown?: boolean;
  env?: Record<string, string>;
};
type Outcome = { name: string; problem?: string };
type Count = { passed: number; failed: number; skipped: number; files: string[] };

/** The steps of one phase run side by side; a phase starts when the one before it went well. */
const phases: Step[][] = [
  [
    {
      name: 'format and lint',
      command: ['biome', 'check', '--error-on-warnings', '.'],
      needs: ['biome.json', 'src'],
    },
    { name: 'types', command: ['tsc', '--noEmit'], needs: ['tsconfig.json', 'src'] },
    { name: 'web build', command: ['vite', 'build'], needs: ['vite.config.ts', 'src/web'] },
  ],
  [
    {
      name: 'rules, server, races, screens',
      command: [
        'vitest',
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${vitestReport}`,
      ],
      needs: requiredFolders.filter((folder) => folder !== 'e2e').map((folder) => `tests/${folder}`),
      shown: true,
    },
  ],
  [
    {
      name: 'browser',
      command: ['playwright', 'test', '--reporter=list,json'],
      needs: ['tests/e2e', 'playwright.config.ts'],
      shown: true,
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: browserReport },
    },
  ],
];

function run(step: Step): Promise<Outcome> {
  const missing = step.needs.filter((path) => !existsSync(join(root, path)));
  if (missing.length > 0) {
    console.log(`✗ ${step.name}: ${missing.join(', ')} missing`);
    return Promise.resolve({ name: step.name, problem: `${missing.join(', ')} missing` });
  }
  const start = performance.now();
  const [program = '', ...args] = step.command;
  const bin = join(root, 'node_modules/.bin');
  const child = spawn(join(bin, program), args, {
    cwd: root,
    env: { ...process.env, ...step.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
    stdio: ['ignore', step.shown ? 'inherit' : 'pipe', step.shown ? 'inherit' : 'pipe'],
    timeout: 20 * 60_000,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  return new Promise((resolveOutcome) => {
    const finish = (problem?: string) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      if (problem && output) console.log(output.trimEnd());
      console.log(`${problem ? '✗' : '✓'} ${step.name} (${seconds} s)${problem ? `: ${problem}` : ''}`);
      resolveOutcome({ name: step.name, problem });
    };
    child.once('error', (error) => finish(error.message));
    child.once('close', (code, signal) => finish(code === 0 ? undefined : `ended with ${signal ?? code}`));
  });
}

function readReport<T>(file: string): T | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;
}

function countVitest(): Count {
  type Report = {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
    testResults: { name: string; assertionResults: { status: string }[] }[];
  };
  const report = readReport<Report>(vitestReport);
  const ran = report?.testResults.filter(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === 'passed' || status === 'failed'),
  );
  return {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: report?.numPendingTests ?? 0,
    files: (ran ?? []).map(({ name }) => relative(root, name)),
  };
}

function countBrowser(): Count {
  type Report = { stats: { expected: number; unexpected: number; flaky: number; skipped: number } };
  const {
    expected = 0,
    unexpected = 0,
    flaky = 0,
    skipped = 0,
  } = readReport<Report>(browserReport)?.stats ?? {};
  const ran = expected + unexpected + flaky > 0;
  return { passed: expected + flaky, failed: unexpected, skipped, files: ran ? ['tests/e2e/any'] : [] };
}

/** A folder of tests that no project picks up would otherwise look like success. */
function foldersWithoutTests(files: string[]): string[] {
  const ran = new Set(files.map((file) => file.split(sep).join('/').split('/')[1]));
  const present = readdirSync(join(root, 'tests'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'support')
    .map(({ name }) => name);
  return [...new Set([...requiredFolders, ...present])].filter((folder) => !ran.has(folder));
}

async function main(): Promise<boolean> {
  const start = performance.now();
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  let outcomes: Outcome[] = [];
  for (const phase of phases) {
    outcomes = [...outcomes, ...(await Promise.all(phase.map(run)))];
    if (outcomes.some(({ problem }) => problem)) break;
  }
  const counts = [countVitest(), countBrowser()];
  const sum = (key: 'passed' | 'failed' | 'skipped') =>
    counts.reduce((total, count) => total + count[key], 0);
  const problems = outcomes.flatMap(({ name, problem }) => (problem ? [`${name}: ${problem}`] : []));
  if (problems.length === 0) {
    const empty = foldersWithoutTests(counts.flatMap(({ files }) => files));
    problems.push(...empty.map((folder) => `no test ran in tests/${folder}`));
  }
  const notRun = phases.flat().length - outcomes.length;
  console.log(
    `\n${((performance.now() - start) / 1000).toFixed(1)} s in all, ${sum('skipped')} tests skipped`,
  );
  for (const problem of problems) console.log(`✗ ${problem}`);
  if (notRun > 0) console.log(`${notRun} later steps were not run`);
  const failed = Math.max(sum('failed'), problems.length > 0 ? 1 : 0);
  console.log(`${sum('passed')} passed, ${failed} failed`);
  return failed === 0 && sum('passed') > 0;
}

const major = Number.parseInt(process.versions.node, 10);
if (major < 24) {
  console.error(
    `The tests need Node 24 or later, this is ${process.version}. ` +
      'Run them with "npm test" after "npm ci" (without --ignore-scripts): npm brings the right Node.',
  );
  process.exitCode = 1;
} else if (!(await main())) {
  process.exitCode = 1;
}
