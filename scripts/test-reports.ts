import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export interface TestCount {
  passed: number;
  failed: number;
  skipped: number;
  /** Files with at least one executed test; paths from the root, with forward slashes. */
  files: { file: string; seconds: number }[];
}

function readReport<T>(file: string): T | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;
}

export function vitestCount(root: string, path: string): TestCount {
  interface Report {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
    testResults: {
      name: string;
      startTime: number;
      endTime: number;
      assertionResults: { status: string }[];
    }[];
  }
  const report = readReport<Report>(path);
  const files = (report?.testResults ?? []).filter(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === 'passed' || status === 'failed'),
  );
  return {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: report?.numPendingTests ?? 0,
    files: files.map(({ name, startTime, endTime }) => ({
      file: relative(root, name).split(sep).join('/'),
      seconds: (endTime - startTime) / 1000,
    })),
  };
}

export function browserCount(path: string): TestCount {
  interface Suite {
    file: string;
    suites?: Suite[];
    specs: { tests: { results: { duration: number }[] }[] }[];
  }
  interface Report {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    suites: Suite[];
  }
  const report = readReport<Report>(path);
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report?.stats ?? {};
  const durations = ({ specs, suites = [] }: Suite): number[] => [
    ...specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration))),
    ...suites.flatMap(durations),
  ];
  const files = (report?.suites ?? []).map((suite) => ({
    file: `tests/e2e/${suite.file}`,
    seconds: durations(suite).reduce((total, ms) => total + ms, 0) / 1000,
  }));
  return {
    passed: expected + flaky,
    failed: unexpected,
    skipped,
    files: files.filter(({ seconds }) => seconds > 0),
  };
}

/** `engines` has its own command, because its browsers come from the system: `npm run test:browsers`. */
const APART = new Set(['support', 'engines']);

/**
 * Test folders of which no file ran: a folder that no project picks up would otherwise look like success. With `isWhole`,
 * every folder under tests is expected.
 */
export function emptyFolders(root: string, expected: string[], files: string[], isWhole: boolean): string[] {
  const folders = new Set(files.map((file) => file.split('/')[1]));
  const allFolders = readdirSync(join(root, 'tests'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !APART.has(entry.name))
    .map(({ name }) => name);
  return [...new Set([...expected, ...(isWhole ? allFolders : [])])].filter((folder) => !folders.has(folder));
}

export function slowestFiles(counts: TestCount[]): string[] {
  return counts
    .flatMap(({ files }) => files)
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, 10)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
}
