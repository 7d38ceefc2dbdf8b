import { vi } from 'vitest';
import { runProgram } from '../../../scripts/commands/program.ts';
import { cleanEnvironment } from './installation.ts';

/**
 * Runs a command of the program in this process: loading it in a process of its own, as runCommand does, takes a second.
 */
export async function runHere(
  name: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const lines: string[] = [];
  const spies = (['log', 'error'] as const).map((kind) =>
    vi.spyOn(console, kind).mockImplementation((line) => void lines.push(`${line}\n`)),
  );
  const outside = process.env;
  process.env = { ...cleanEnvironment(), ...env };
  try {
    const code = await runProgram([...name.split(' ').filter(Boolean), ...args]);
    return { code, output: lines.join('') };
  } finally {
    process.env = outside;
    for (const spy of spies) spy.mockRestore();
  }
}
