/** The outcome of a command. */
export interface CommandResult {
  exitCode: number;
  /** Without the trailing newline. */
  stdout: string;
  stderr: string;
}

/** The programs that an operator lets nodes run (`EXECUTE_COMMAND_ALLOW`). */
export interface CommandAccess {
  /**
   * Runs a program without a shell. Resolves when it exits, with any exit code. Throws
   * `COMMAND_REFUSED` if the command is not allowed, runs too long, or writes too much; throws the
   * signal's reason on abort.
   */
  run(command: string, signal: AbortSignal): Promise<CommandResult>;
}
