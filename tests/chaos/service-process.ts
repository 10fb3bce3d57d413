import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { builtCommand } from '@sluice/test-support';

/** Pause of the supervisor before a restart. */
const restartMs = 500;

export type Environment = Readonly<Record<string, string | undefined>>;

/** An API or a worker under a supervisor that restarts it whenever it exits. */
export class ServiceProcess {
  readonly name: string;
  readonly url: string;
  readonly #command: string;
  readonly #logFile: string;
  readonly #env: Environment;
  #clock: Environment = {};
  #child: ChildProcess | undefined;
  #isStopping = false;
  #isKilled = false;
  /** Exits that no fault caused, for the report. */
  readonly unexpectedExits: string[] = [];

  constructor({ name, command, port, logFile, env }: ServiceProcessOptions) {
    this.name = name;
    this.url = `http://127.0.0.1:${port}`;
    this.#command = command;
    this.#logFile = logFile;
    this.#env = env;
    this.#start();
  }

  kill(): void {
    this.#isKilled = true;
    this.#child?.kill('SIGKILL');
  }

  /** Stops it, as an upgrade does. */
  restart(): void {
    this.#isKilled = true;
    this.#child?.kill('SIGTERM');
  }

  /** Restarts it with other environment variables for its clock. */
  restartWith(clock: Environment): void {
    this.#clock = clock;
    this.kill();
  }

  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  unfreeze(): void {
    this.#child?.kill('SIGCONT');
  }

  async isReady(): Promise<boolean> {
    const response = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    await response?.body?.cancel();
    return response?.status === 200;
  }

  /** Stops it for good. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
    await exited;
    clearTimeout(timer);
  }

  #start(): void {
    const log = openSync(this.#logFile, 'a');
    const child = spawn(process.execPath, [builtCommand, this.#command], {
      env: { ...this.#env, ...this.#clock },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#child = child;
    this.#isKilled = false;
    child.once('exit', (code, signal) => this.#exited(code, signal));
  }

  #exited(code: number | null, signal: string | null): void {
    if (this.#isStopping) return;
    if (!this.#isKilled) this.unexpectedExits.push(`${this.name} exited unexpectedly with ${signal ?? code}`);
    setTimeout(() => {
      if (!this.#isStopping) this.#start();
    }, restartMs);
  }
}

interface ServiceProcessOptions {
  name: string;
  command: 'api' | 'worker';
  port: number;
  /** Receives the output of the process and its restarts. */
  logFile: string;
  env: Environment;
}
