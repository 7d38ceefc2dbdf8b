import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigurationError } from '../../src/server/config/config-error.ts';

const FILE = '.env';

/** The variables in the .env of the working folder; none without one. Throws ConfigurationError if it cannot be read. */
export function envFile(): NodeJS.Dict<string> {
  if (!existsSync(FILE)) return {};
  try {
    return parseEnv(readFileSync(FILE, 'utf8'));
  } catch (error) {
    throw new ConfigurationError([`${FILE} cannot be read: ${(error as Error).message}`]);
  }
}

/** Adds the variables of .env to the environment, where a variable that is set already wins. Throws what envFile throws. */
export function loadEnvFile(): void {
  for (const [name, value] of Object.entries(envFile())) process.env[name] ??= value;
}
