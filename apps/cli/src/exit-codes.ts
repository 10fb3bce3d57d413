import { ConfigError } from '@sluice/config';
import { isAppError } from '@sluice/domain';
import { CommanderError } from 'commander';

/** Exit codes of the command line, documented in docs/cli.md. */
export const exitCodes = {
  ok: 0,
  /** The command failed, or found problems. */
  failed: 1,
  /** Unknown command or option, missing argument, or invalid setting. */
  usage: 2,
  /** Postgres, Redis, or the API cannot be reached; the same command may succeed later. */
  unavailable: 3,
  /** The execution that the command waited for ended with a status other than `success`. */
  executionFailed: 4,
  /** Ctrl-C; a shell reports the same code for SIGINT. */
  interrupted: 130,
} as const;

/** An error with its own exit code. */
export class ExitError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof ExitError) return error.exitCode;
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (error instanceof ConfigError || (isAppError(error) && error.code === 'VALIDATION_ERROR')) return exitCodes.usage;
  if (isAppError(error) && error.retryable) return exitCodes.unavailable;
  return exitCodes.failed;
}
