/** Lists all invalid settings, one per line of the message. */
export class ConfigError extends Error {
  readonly code = 'INVALID_CONFIG';
  /** One sentence per problem, starting with the variable name. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`invalid configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}
