export interface Command {
  /** Arguments and effect, a pair for each way to call the command. */
  usage: [args: string, effect: string][];
  note?: string;
  /** The on/off options of the command, such as `yes`. */
  flags?: string[];
  /** Does the work and returns the exit code, 0 or 1. Throws WrongArguments. */
  run(words: string[], flags: ReadonlySet<string>): Promise<number>;
}

/** Makes the program print the message and the command's usage, and exit with 2. */
export class WrongArguments extends Error {
  override name = 'WrongArguments';
}
