import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { errorMessage } from '@sluice/domain';
import { Backoff } from './backoff.ts';

export interface ProcessPlan {
  /** Name in messages: `api`, `worker 1`. */
  name: string;
  /** Arguments of `node`. */
  args: readonly string[];
  env: Record<string, string>;
  /** Receives stdout and stderr. */
  logFile: string;
}

interface ProcessEvents {
  onStart(pid: number): void;
  /** The process exited unexpectedly and will restart after `restartMs`. */
  onLost(reason: string, restartMs: number): void;
  onEnd(pid: number): void;
}

/**
 * One child process that is restarted, with a growing delay, whenever it exits. States: running →
 * waiting to restart → running …, until `stop`; then stopped permanently.
 *
 * The child leads its own process group, so Ctrl-C in a terminal reaches only this process, which
 * stops its children in order. The IPC channel carries no messages: when it closes, the child knows
 * that this process has exited.
 */
export class SupervisedProcess {
  readonly plan: ProcessPlan;
  readonly #events: ProcessEvents;
  readonly #backoff = new Backoff();
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #restart: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(plan: ProcessPlan, events: ProcessEvents) {
    this.plan = plan;
    this.#events = events;
  }

  start(): void {
    const startedAt = performance.now();
    let child: ChildProcess;
    try {
      child = this.#spawn();
    } catch (error) {
      this.#lost(errorMessage(error), startedAt); // for example, the disk is full or too many files are open
      return;
    }
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      child.once('error', (error) => this.#ended(child, error.message, startedAt, resolve));
      child.once('exit', (code, signal) => this.#ended(child, signal ?? `exit code ${code}`, startedAt, resolve));
    });
    if (child.pid !== undefined) this.#events.onStart(child.pid);
  }

  #spawn(): ChildProcess {
    const log = openSync(this.plan.logFile, 'a', 0o600);
    try {
      const stdio: StdioOptions = ['ignore', log, log, 'ipc'];
      return spawn(process.execPath, this.plan.args, { env: this.plan.env, stdio, detached: true });
    } finally {
      closeSync(log);
    }
  }

  get running(): boolean {
    return this.#child !== undefined;
  }

  /**
   * Asks the process to exit, kills it after `graceMs`, and resolves when it has exited. A second
   * call can only shorten the grace period.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (child === undefined) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await this.#exited;
    clearTimeout(timer);
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  #ended(child: ChildProcess, reason: string, startedAt: number, resolve: () => void): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    resolve();
    if (child.pid !== undefined) this.#events.onEnd(child.pid);
    if (!this.#stopping) this.#lost(reason, startedAt);
  }

  #lost(reason: string, startedAt: number): void {
    const delay = this.#backoff.delayAfter(performance.now() - startedAt);
    this.#events.onLost(reason, delay);
    this.#restart = setTimeout(() => this.start(), delay);
  }
}
