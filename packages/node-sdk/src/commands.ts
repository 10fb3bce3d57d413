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
   * Runs a program without a shell. Resolves when it ends, with any exit code. Throws
   * `COMMAND_REFUSED` for a command that is not allowed, runs too long, or writes too much, and the
   * reason of the signal.
   */
  run(command: string, signal: AbortSignal): Promise<CommandResult>;
}
