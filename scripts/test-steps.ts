import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { delimiter, join } from 'node:path';

const TIMEOUT_MS = 20 * 60_000;

export interface Step {
  name: string;
  /** A program of node_modules/.bin and its arguments. */
  command: string[];
  /** Paths without which the step would test nothing. */
  needs: string[];
  shown?: boolean;
  env?: Record<string, string>;
  /** Runs in the processor time that parallel steps leave; the next phase need not wait for this step. */
  yields?: boolean;
}

export interface Outcome {
  name: string;
  problem?: string;
}

/** Runs one step and prints how it ended. Never rejects. */
export function runStep(root: string, step: Step): Promise<Outcome> {
  const paths = step.needs.filter((path) => !existsSync(join(root, path)));
  if (paths.length > 0) {
    const problem = `${paths.join(', ')} missing`;
    console.log(`✗ ${step.name}: ${problem}`);
    return Promise.resolve({ name: step.name, problem });
  }
  const start = performance.now();
  const [program = '', ...args] = step.command;
  const bin = join(root, 'node_modules/.bin');
  const output = step.shown ? 'inherit' : 'pipe';
  const child = spawn(join(bin, program), args, {
    cwd: root,
    env: { ...process.env, ...step.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
    stdio: ['ignore', output, output],
    timeout: TIMEOUT_MS,
  });
  if (step.yields && child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk;
    });
  }
  return new Promise((resolve) => {
    const finish = (problem?: string) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      if (problem && text) console.log(text.trimEnd());
      console.log(`${problem ? '✗' : '✓'} ${step.name} (${seconds} s)${problem ? `: ${problem}` : ''}`);
      resolve({ name: step.name, problem });
    };
    child.once('error', (error) => finish(error.message));
    child.once('close', (code, signal) =>
      finish(code === 0 ? undefined : signal ? `stopped by ${signal}` : `failed with exit code ${code}`),
    );
  });
}
