import { AsyncLocalStorage } from 'node:async_hooks';
import { errorMessage } from '@sluice/domain';
import { keepListeners } from './keep-listeners.ts';

/** Thrown from a timer or an event, or an unhandled rejection. */
export type UncaughtErrorKind = 'thrown' | 'rejected';

interface UncaughtErrorLogger {
  error(fields: object, message: string): void;
}

/** The owner of running code; notified of its uncaught errors. */
interface ErrorOwner {
  /** The package being loaded, for the log line if the stack contains no package file. */
  readonly package?: string;
  /** Receives the error's log line. Absent: the process logger. */
  readonly logger?: UncaughtErrorLogger;
  failed?(error: unknown, kind: UncaughtErrorKind): void;
}

interface UncaughtErrorEnding {
  end(): void;
  /** Whether unhandled rejections also terminate the process. */
  atRejections?: boolean;
}

/** Process events that packages may not listen to. */
export const uncaughtErrorEvents: ReadonlySet<string | symbol> = new Set(['uncaughtException', 'unhandledRejection']);

/**
 * Uncaught errors and unhandled rejections of node code. Each belongs to the owner that ran or
 * loaded the code; sockets, timers, and promises inherit the owner, even in dependencies. Errors
 * without an owner are attributed to a package by the files in their stack. Attributed errors do
 * not terminate the process.
 */
export class UncaughtErrors {
  readonly #owners = new AsyncLocalStorage<ErrorOwner>();
  readonly #logger: UncaughtErrorLogger;
  readonly #folders = new Map<string, string>();
  readonly #roots = new Set<string>();

  constructor(logger: UncaughtErrorLogger) {
    this.#logger = logger;
  }

  /** Registers a package's folder, with links resolved. */
  know(folder: string, name: string): void {
    this.#folders.set(folder, name);
  }

  /** Registers a folder of packages (directly or in its `node_modules`), with links resolved. */
  knowAll(root: string): void {
    this.#roots.add(root);
  }

  run<T>(owner: ErrorOwner, work: () => T): T {
    return this.#owners.run(owner, work);
  }

  /** Same as `run`, unless the code already has an owner. */
  runOwn<T>(owner: ErrorOwner, work: () => T): T {
    return this.#owners.getStore() ? work() : this.run(owner, work);
  }

  /**
   * Logs the error and notifies its owner. Returns false if it cannot be attributed. Never throws.
   */
  take(error: unknown, kind: UncaughtErrorKind): boolean {
    const owner = this.#owners.getStore();
    const stack = stackOf(error);
    const name = packageOfStack(stack, this.#folders) ?? owner?.package ?? folderInStack(stack, this.#roots);
    const fields = { error: errorMessage(error), err: error, ...(name !== undefined && { package: name }) };
    try {
      (owner?.logger ?? this.#logger).error(fields, 'uncaught error');
      owner?.failed?.(error, kind);
    } catch (failure) {
      this.#logger.error({ error: errorMessage(failure) }, 'the owner of an uncaught error could not be notified');
    }
    return owner !== undefined || name !== undefined;
  }

  /**
   * Handles the process's uncaught errors from now on; an error that cannot be attributed
   * terminates it. Call this before packages are loaded. Packages' error listeners are removed,
   * because WebAssembly compilers add listeners that throw, which would terminate the process.
   * Packages cannot remove other code's listeners, including those for signals.
   */
  listen(process: NodeJS.Process, { end, atRejections = false }: UncaughtErrorEnding): void {
    keepListeners(process, { isPackage: () => this.#owners.getStore() !== undefined, refused: uncaughtErrorEvents });
    process.on('unhandledRejection', (error) => {
      if (!this.take(error, 'rejected') && atRejections) end();
    });
    process.on('uncaughtException', (error) => {
      if (!this.take(error, 'thrown')) end();
    });
  }
}

/**
 * The package of the first file in the stack that belongs to a package; `undefined` if no file
 * does.
 */
function packageOfStack(stack: string, folders: ReadonlyMap<string, string>): string | undefined {
  for (const line of stack.split('\n')) {
    const entry = [...folders].find(([folder]) => line.includes(`${folder}/`));
    if (entry) return entry[1];
  }
  return undefined;
}

/**
 * The folder name within a root, such as the name of a dependency or of a package that is no longer
 * loaded.
 */
function folderInStack(stack: string, roots: ReadonlySet<string>): string | undefined {
  for (const root of roots) {
    const [, ...rest] = stack.split(`${root}/`);
    const name = /^(?:node_modules\/)?((?:@[^/]+\/)?[^/]+)\//.exec(rest[0] ?? '')?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The stack, with URLs of ES modules written as file paths. */
function stackOf(error: unknown): string {
  try {
    const stack = error instanceof Error ? String(error.stack) : '';
    return stack.replace(/file:\/\/\S+/g, decoded);
  } catch {
    return ''; // a stack getter that throws
  }
}

function decoded(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
