/** A subcommand of `cellar-door`. */
export interface Command {
  /** Its arguments and what they do, a pair for each way to call it. */
  usage: [args: string, effect: string][];
  /** A sentence below the usage. */
  note?: string;
  /** The options it takes, such as `yes`; each is on or off. */
  flags?: string[];
  /** Does the work and returns the exit code, 0 or 1. Throws WrongArguments. */
  run(words: string[], flags: ReadonlySet<string>): Promise<number>;
}

/** The program prints the message and the command's usage, and exits with 2. */
export class WrongArguments extends Error {
  override name = 'WrongArguments';
}
