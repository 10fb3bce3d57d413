import { errorMessage } from '@sluice/domain';
import type { Terminal } from '../terminal.ts';
import type { MemberPlan } from './fleet.ts';
import type { ChildRecord } from './leftovers.ts';
import { LogTail, type Notice, rotateLog } from './log-file.ts';
import { untilReady } from './ready.ts';
import { SupervisedProcess } from './supervised-process.ts';

interface SupervisorOptions {
  children: ChildRecord;
  terminal: Terminal;
}

/** Keeps the processes of a fleet running and prints their problems. */
export class Supervisor {
  readonly #processes: readonly SupervisedProcess[];
  readonly #plans: readonly MemberPlan[];
  readonly #tails: LogTail[] = [];
  readonly #failed = new AbortController();
  readonly #terminal: Terminal;
  /** Notices about node packages that have been printed. */
  readonly #shown = new Set<string>();
  #ready = false;

  constructor(plans: readonly MemberPlan[], { children, terminal }: SupervisorOptions) {
    this.#plans = plans;
    this.#terminal = terminal;
    this.#processes = plans.map(
      (plan) =>
        new SupervisedProcess(plan, {
          onStart: (pid) => void children.add(pid).catch((error) => this.#unrecorded(plan.name, error)),
          onEnd: (pid) => void children.remove(pid).catch((error) => this.#unrecorded(plan.name, error)),
          onLost: (reason, restartMs) => this.#lost(plan.name, reason, restartMs),
        }),
    );
  }

  /**
   * Starts all processes, and resolves when all are ready. Rejects if one exits before that, or
   * when `signal` fires.
   */
  async start(signal: AbortSignal): Promise<void> {
    for (const { name, logFile } of this.#plans) {
      rotateLog(logFile);
      this.#tails.push(new LogTail(logFile, (notice) => this.#show(name, notice)));
    }
    for (const process of this.#processes) process.start();
    const either = AbortSignal.any([signal, this.#failed.signal]);
    await Promise.all(this.#plans.map(({ url }) => untilReady(url, either)));
    for (const tail of this.#tails) tail.read();
    this.#ready = true;
  }

  /** Asks all processes to exit, and kills the remaining ones after `graceMs`. Safe to repeat. */
  async stop(graceMs: number): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.stop(graceMs)));
    for (const tail of this.#tails.splice(0)) tail.close();
  }

  kill(): void {
    for (const process of this.#processes) process.kill();
  }

  /**
   * Until all processes are ready, warnings are hidden: they only mean that a process still waits
   * for another. Notices about node packages, which every process logs, are printed once.
   */
  #show(name: string, { level, text, ofPackage }: Notice): void {
    if (ofPackage) {
      if (!this.#shown.has(text)) this.#terminal.warn(`sluice: ${text}`);
      this.#shown.add(text);
    } else if (this.#ready || level !== 'warn') this.#terminal.warn(`${name}: ${text}`);
  }

  #unrecorded(name: string, error: unknown): void {
    this.#terminal.warn(`sluice: cannot update the record of running processes for ${name}: ${errorMessage(error)}`);
  }

  #lost(name: string, reason: string, restartMs: number): void {
    if (this.#ready) this.#terminal.warn(`sluice: ${name} has exited (${reason}); restarting it in ${restartMs} ms`);
    else this.#failed.abort(new Error(`${name} did not start (${reason})`));
  }
}
