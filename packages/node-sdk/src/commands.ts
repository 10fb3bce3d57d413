/** How a command ended. */
export interface CommandResult {
  exitCode: number;
  /** Without the last line end. */
  stdout: string;
  stderr: string;
}

/** The programs that an operator lets nodes run (`EXECUTE_COMMAND_ALLOW`). */
export interface CommandAccess {
  /**
   * Runs a program without a shell; resolves when it has ended, whatever its exit code. Throws `COMMAND_REFUSED` for a
   * command that is not allowed, takes too long or writes too much, and the reason of the signal.
   */
  run(command: string, signal: AbortSignal): Promise<CommandResult>;
}
