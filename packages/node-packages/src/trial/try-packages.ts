import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '@sluice/domain';
import type { TrialJob, TrialMessage } from './trial-messages.ts';

/** For a process to start, and for one to say itself that time is up, in milliseconds. */
const startMs = 30_000;
const graceMs = 1_000;
/** For what a package leaves behind to come up, where it is tried alone, in milliseconds. */
const aloneMs = 500;

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
    await trial.run();
    for (const [path, reason] of await guiltOf(trial, { ...job, packages })) failures.set(path, reason);
    if (trial.isDone) return failures;
  }
}

/** What a trial has found. Where all that is known is which package was at it when the process ended, others before that one may have done it. */
async function guiltOf(trial: Trial, job: TrialJob): Promise<ReadonlyMap<string, string>> {
  const { suspect } = trial;
  if (suspect === undefined || suspect === job.packages[0]?.path) return trial.failures;
  // The one that was at it first: most often it is that.
  const rest = job.packages.filter(({ path }) => path !== suspect);
  const only = job.packages.filter(({ path }) => path === suspect);
  for (const packages of [only, ...rest.map((one) => [one])]) {
    const alone = new Trial({ ...job, packages, aftermathMs: aloneMs });
    await alone.run();
    if (!alone.isDone) return alone.failures;
  }
  return trial.failures;
}

class Trial {
  isDone = false;
  /** Why packages cannot be loaded, by path; names one at least where the trial has not come to its end. */
  readonly failures = new Map<string, string>();
  /** That which was at it when the process ended, without a word of whose doing that was. */
  suspect: string | undefined;
  readonly #job: TrialJob;
  #current: string | undefined;
  #hasTold = false;
  #timer: NodeJS.Timeout | undefined;
  #isLate = false;

  constructor(job: TrialJob) {
    this.#job = job;
  }

  async run(): Promise<void> {
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
  }

  #hear(child: ChildProcess, message: TrialMessage): void {
    switch (message.kind) {
      case 'begin':
        this.#current = message.path;
        this.#limit(child, this.#job.timeoutMs + graceMs);
        break;
      case 'end':
        if (message.reason !== undefined) this.failures.set(message.path, message.reason);
        break;
      case 'harm':
        this.#harm(message);
        break;
      case 'done':
        this.isDone = true;
        child.kill('SIGKILL');
    }
  }

  /** The first word counts: the end of the process follows from it. */
  #harm({ path, reason }: { path: string | undefined; reason: string }): void {
    if (this.#hasTold) return;
    this.#hasTold = true;
    if (path === undefined) this.suspect = this.#current;
    const guilty = path ?? this.#current;
    if (guilty !== undefined) this.failures.set(guilty, reason);
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
    const reason = this.#isLate ? `it was not loaded within ${timeoutMs} milliseconds` : `it ends the process (${how})`;
    this.#harm({ path: undefined, reason });
    if (this.failures.size > 0) return;
    for (const { path } of packages) this.failures.set(path, `it could not be tried: ${how}`);
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
