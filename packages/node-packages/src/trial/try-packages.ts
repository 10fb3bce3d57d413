import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '@sluice/domain';
import type { TrialJob, TrialMessage } from './trial-messages.ts';

/** Milliseconds for a process to start, and to report its own timeout. */
const startMs = 30_000;
const graceMs = 1_000;
/** Wait for delayed errors of a package that is tried alone, in milliseconds. */
const aloneMs = 500;

/**
 * Loads packages in sequence in a separate process, so that a package that terminates it, blocks
 * it, or throws an uncaught error harms no other process. After such a package, the others are
 * tried again. Returns the reasons why packages cannot be loaded, by path.
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

/**
 * Failures of a trial. If only the package being loaded at the crash is known, an earlier package
 * may be the cause.
 */
async function guiltOf(trial: Trial, job: TrialJob): Promise<ReadonlyMap<string, string>> {
  const { suspect } = trial;
  if (suspect === undefined || suspect === job.packages[0]?.path) return trial.failures;
  // The suspect is tried first, because it is the most likely cause.
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
  /**
   * Reasons why packages cannot be loaded, by path. Has at least one entry if the trial did not
   * finish.
   */
  readonly failures = new Map<string, string>();
  /** The package being loaded when the process terminated, if the cause is unknown. */
  suspect: string | undefined;
  readonly #job: TrialJob;
  #current: string | undefined;
  #hasFailed = false;
  #timer: NodeJS.Timeout | undefined;
  #isLate = false;

  constructor(job: TrialJob) {
    this.#job = job;
  }

  async run(): Promise<void> {
    try {
      const child = start();
      this.#limit(child, startMs);
      child.on('message', (message) => this.#handle(child, message as TrialMessage));
      const ended = endOf(child);
      child.send(this.#job);
      this.#ended(await ended);
    } catch (error) {
      this.#ended(errorMessage(error));
    } finally {
      clearTimeout(this.#timer);
    }
  }

  #handle(child: ChildProcess, message: TrialMessage): void {
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

  /** Only the first message is used, because it caused the process to terminate. */
  #harm({ path, reason }: { path: string | undefined; reason: string }): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
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

  /** @param how how the process terminated. */
  #ended(how: string): void {
    if (this.isDone) return;
    const { packages, timeoutMs } = this.#job;
    const reason = this.#isLate ? `it was not loaded within ${timeoutMs} milliseconds` : `it terminates the process (${how})`;
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
