import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '@sluice/domain';
import type { TrialJob, TrialMessage } from './trial-messages.ts';

/** For a process to start, and for one to say itself that time is up, in milliseconds. */
const startMs = 30_000;
const graceMs = 1_000;

/**
 * Loads packages one after the other in a process of their own, so that one that ends it, never gives way or lets go of an error harms nobody else. After such
 * a one, the others are tried once more. Gives, by path, why packages cannot be loaded.
 */
export async function tryPackages(job: TrialJob): Promise<ReadonlyMap<string, string>> {
  const failures = new Map<string, string>();
  for (;;) {
    const packages = job.packages.filter(({ path }) => !failures.has(path));
    if (packages.length === 0) return failures;
    const trial = new Trial({ ...job, packages });
    for (const [path, reason] of await trial.run()) failures.set(path, reason);
    if (trial.isDone) return failures;
  }
}

class Trial {
  isDone = false;
  readonly #job: TrialJob;
  readonly #failures = new Map<string, string>();
  #current: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLate = false;

  constructor(job: TrialJob) {
    this.#job = job;
  }

  /** Names a package at least where it does not come to its end. */
  async run(): Promise<ReadonlyMap<string, string>> {
    try {
      const child = start();
      this.#limit(child, startMs);
      child.on('message', (message) => this.#hear(child, message as TrialMessage));
      const ended = endOf(child);
      child.send(this.#job);
      this.#ended(await ended);
    } catch (error) {
      this.#ended(errorMessage(error));
    } finally {
      clearTimeout(this.#timer);
    }
    return this.#failures;
  }

  #hear(child: ChildProcess, message: TrialMessage): void {
    switch (message.kind) {
      case 'begin':
        this.#current = message.path;
        this.#limit(child, this.#job.timeoutMs + graceMs);
        break;
      case 'end':
        this.#current = undefined;
        if (message.reason !== undefined) this.#failures.set(message.path, message.reason);
        break;
      case 'stray':
        this.#failures.set(message.path, message.reason);
        this.#current = undefined;
        break;
      case 'done':
        this.isDone = true;
        child.kill('SIGKILL');
    }
  }

  #limit(child: ChildProcess, ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      child.kill('SIGKILL');
    }, ms);
  }

  /** @param how the process ended. */
  #ended(how: string): void {
    if (this.isDone) return;
    const { packages, timeoutMs } = this.#job;
    if (this.#current !== undefined) {
      const reason = this.#isLate ? `it was not loaded within ${timeoutMs} milliseconds` : `it ends the process (${how})`;
      this.#failures.set(this.#current, reason);
    } else if (this.#failures.size === 0) {
      for (const { path } of packages) this.#failures.set(path, `it could not be tried: ${how}`);
    }
  }
}

function start(): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = new URL(`./trial-process.${isSource ? 'ts' : 'js'}`, import.meta.url);
  return fork(fileURLToPath(entry), {
    execArgv: isSource ? ['--conditions=source'] : [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : signal));
  });
}
