import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { childEnvironment } from '@sluice/config';
import { isAlive } from './process-identity.ts';

/** A started or adopted server. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves when it has exited, for any reason. */
  readonly exited: Promise<void>;
  /** Signals it to exit, waits, and kills it if it takes too long. Safe to repeat. */
  stop(): Promise<void>;
}

interface ServerCommand {
  file: string;
  args: readonly string[];
  env?: Record<string, string>;
  uid?: number | undefined;
  gid?: number | undefined;
  /**
   * Receives stdout and stderr. A file instead of a pipe, because the server may outlive this
   * process.
   */
  logFile: string;
  /** Signal for a clean exit of the server. */
  stopSignal: NodeJS.Signals;
  /**
   * Whether the server exits with this process, even if this process is killed. Otherwise a later
   * start adopts it.
   */
  diesWithUs: boolean;
}

const stopTimeoutMs = 20_000;
const pollMs = 20;

/**
 * Starts a server in its own session: a terminal's Ctrl-C does not reach it, so that the programs
 * that use it can stop first.
 */
export async function startServer(command: ServerCommand): Promise<ServerProcess> {
  const log = await open(command.logFile, 'a', 0o600);
  try {
    const child = spawn(command.file, command.args, {
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
      env: childEnvironment(command.env ?? {}),
      ...(command.uid === undefined ? {} : { uid: command.uid, gid: command.gid }),
    });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const pid = await startedPid(child);
    child.unref();
    const lifeline = command.diesWithUs ? tieToUs(pid, command.stopSignal) : undefined;
    // Runs before another process can have its pid.
    void exited.then(() => lifeline?.kill('SIGKILL'));
    const stop = () => endProcess(pid, command.stopSignal);
    return { pid, exited, stop: unlessExited(exited, stop) };
  } finally {
    await log.close();
  }
}

/** Takes over a server from an earlier process. */
export function adoptServer(pid: number, stopSignal: NodeJS.Signals): ServerProcess {
  const exited = watch(pid);
  return { pid, exited, stop: unlessExited(exited, () => endProcess(pid, stopSignal)) };
}

/** After it exits, another process may have its pid. */
function unlessExited(exited: Promise<void>, stop: () => Promise<void>): () => Promise<void> {
  let hasExited = false;
  void exited.then(() => {
    hasExited = true;
  });
  return async () => {
    if (!hasExited) await stop();
  };
}

function startedPid(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => resolve(child.pid as number));
  });
}

/**
 * A shell that waits for the end of a pipe that only this process keeps open: even `kill -9` closes
 * it.
 */
function tieToUs(pid: number, signal: NodeJS.Signals): ChildProcess {
  const script = 'read -r _; kill -s "$1" "$2"';
  const args = ['-c', script, 'sh', signal.slice('SIG'.length), String(pid)];
  const lifeline = spawn('/bin/sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  lifeline.unref();
  (lifeline.stdin as unknown as { unref?(): void } | null)?.unref?.();
  return lifeline;
}

async function endProcess(pid: number, signal: NodeJS.Signals): Promise<void> {
  sendSignal(pid, signal);
  if (await isGoneWithin(pid, stopTimeoutMs)) return;
  sendSignal(pid, 'SIGKILL');
  await isGoneWithin(pid, stopTimeoutMs);
}

/** Ignores a process that has ended in the meantime. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (isAlive(pid)) throw error;
  }
}

async function isGoneWithin(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await delay(pollMs);
  }
  return true;
}

async function watch(pid: number): Promise<void> {
  while (isAlive(pid)) await delay(1000, undefined, { ref: false });
}
