import { type StdioOptions, spawn } from 'node:child_process';
import { AppError, errorMessage, GatheredBytes } from '@sluice/domain';
import type { CommandAccess, CommandResult } from '@sluice/node-sdk';
import { parse } from 'shell-quote';

interface AllowedCommandsOptions {
  /** Absolute paths of the programs that may run. */
  programs: readonly string[];
  /** User and group that they run as; never the worker's own. */
  uid: number;
  gid: number;
}

/** Milliseconds that a command may take. */
const timeoutMs = 60_000;
/** Bytes that a command may write to each of its two streams. */
const maxOutputBytes = 1024 * 1024;

/**
 * Runs programs that the operator allows, for the Execute Command node. Commands run without a
 * shell, with an empty environment, in `/`, and as another user than the worker, whose memory and
 * environment contain the master key. A command and its process group are killed at the deadline,
 * at the output limit, or when the signal fires.
 */
export class AllowedCommands implements CommandAccess {
  readonly #options: AllowedCommandsOptions;

  constructor(options: AllowedCommandsOptions) {
    this.#options = options;
  }

  async run(command: string, signal: AbortSignal): Promise<CommandResult> {
    const { programs, uid, gid } = this.#options;
    const { program, args } = parseCommand(command);
    if (!programs.includes(program)) {
      throw refused(`the program ${program} is not allowed; allowed: ${programs.join(', ')}`);
    }
    if (process.getuid?.() !== 0 || uid === 0) {
      throw refused('commands need a worker that runs as root, and a user of their own (EXECUTE_COMMAND_UID) that is not root');
    }
    signal.throwIfAborted();
    return outcomeOf(start(program, args, { uid, gid }), signal);
  }
}

function start(program: string, args: string[], user: { uid: number; gid: number }): ReturnType<typeof spawn> {
  try {
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
    return spawn(program, args, { cwd: '/', env: {}, ...user, shell: false, detached: true, stdio });
  } catch (error) {
    // For example, arguments that are too long.
    throw refused(`the command cannot be started: ${errorMessage(error)}`);
  }
}

type Child = ReturnType<typeof spawn> & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream };

function outcomeOf(started: ReturnType<typeof spawn>, signal: AbortSignal): Promise<CommandResult> {
  const child = started as Child;
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
  const end = (reason: unknown) => {
    reject(reason);
    killGroup(child.pid);
  };
  const stdout = collect(child.stdout, () => end(tooMuch()));
  const stderr = collect(child.stderr, () => end(tooMuch()));
  const abort = () => end(signal.reason);
  const timer = setTimeout(() => end(refused(`the command takes more than ${timeoutMs} ms`)), timeoutMs);
  signal.addEventListener('abort', abort, { once: true });
  child.once('error', (error) => reject(refused(`the command cannot be started: ${error.message}`)));
  child.once('close', (code, killedBy) => {
    const exitCode = code ?? 128;
    // Kills child processes that outlive the command.
    killGroup(child.pid);
    if (killedBy) reject(refused(`the command was ended by ${killedBy}`));
    else resolve({ exitCode, stdout: textOf(stdout), stderr: textOf(stderr) });
  });
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  });
}

function collect(stream: NodeJS.ReadableStream, overflow: () => void): GatheredBytes {
  const output = new GatheredBytes();
  stream.on('data', (chunk: Buffer) => {
    if (output.length + chunk.length <= maxOutputBytes) output.add(chunk);
    else overflow();
  });
  return output;
}

/** Without the final line break that most commands write. */
const textOf = (output: GatheredBytes): string => output.bytes().toString('utf8').trimEnd();

/** The child leads its own process group, because it was started detached. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Every process of the group has ended.
  }
}

function refused(message: string): AppError {
  return new AppError({ code: 'COMMAND_REFUSED', message });
}

function tooMuch(): AppError {
  return refused(`the command writes more than ${maxOutputBytes} bytes`);
}

interface ParsedCommand {
  program: string;
  args: string[];
}

/**
 * Splitting so much blocks the event loop for 0.2 s; words of several megabytes overflow the
 * parser's stack.
 */
const maxLength = 512 * 1024;

/**
 * Splits a command into a program and its arguments, by POSIX shell quoting rules. Nothing is
 * expanded; shell features (pipes, redirections, several commands, patterns) throw
 * `COMMAND_REFUSED`.
 */
export function parseCommand(command: string): ParsedCommand {
  if (command.length > maxLength) throw refused(`the command has more than ${maxLength} characters`);
  if (hasOpenQuote(command)) throw refused('the command has a quote that is not closed');
  // Variables are not expanded: a command's environment is empty.
  const words = parse(command, (name) => `$${name}`);
  const [program, ...args] = words.map((word) => {
    if (typeof word === 'string') return word;
    throw refused('a command runs without a shell, so it cannot have pipes, redirections, patterns or comments');
  });
  if (program === undefined || !program.startsWith('/')) throw refused('a command starts with the absolute path of a program');
  if (command.includes('\0')) throw refused('a command cannot contain U+0000');
  return { program, args };
}

/**
 * The parser would treat an unclosed quote as a character. A backslash escapes within double
 * quotes, but not within single quotes.
 */
function hasOpenQuote(command: string): boolean {
  const closed = command.replace(/\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g, '');
  return /['"]/.test(closed);
}
