/** The configuration cannot be used; the message names each variable and what to do about it. */
export class ConfigurationError extends Error {
  constructor(problems: string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
  }
}
