import { hash, verify } from '@node-rs/argon2';

/** Argon2id's parameters; memory in KiB. */
export interface PasswordHashCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

// Argon2id at 46 MiB (OWASP's first choice), about 35 ms here, against 80 ms for the library's scrypt.
const DEFAULT_COST: PasswordHashCost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };

/** The cost is kept in the hash, so that hashes of different costs verify side by side. */
export const hashPassword = (password: string, cost = DEFAULT_COST) => hash(password, cost);
export const verifyPassword = (stored: string, password: string) => verify(stored, password);
