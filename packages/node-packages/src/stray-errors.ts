import { AsyncLocalStorage } from 'node:async_hooks';
import { errorMessage } from '@sluice/domain';
import { keepListeners } from './keep-listeners.ts';

/** Thrown from a timer or an event, or left in a promise that nobody looks at. */
export type StrayKind = 'thrown' | 'rejected';

export interface StrayLogger {
  error(fields: object, message: string): void;
}

/** Whose code it is that runs: told what it has thrown where nobody could catch it. */
export interface StrayOwner {
  /** The name of the package that was being loaded, for the line where the stack names none. */
  readonly package?: string;
  /** Gets the line about the error; absent: the logger of the process. */
  readonly logger?: StrayLogger;
  failed?(error: unknown, kind: StrayKind): void;
}

export interface StrayEnds {
  end(): void;
  /** Promises that fail unseen end the process too. */
  atRejections?: boolean;
}

/** Events of a process that packages may not listen to. */
export const strayEvents: ReadonlySet<string | symbol> = new Set(['uncaughtException', 'unhandledRejection']);

/**
 * Errors that code of nodes throws from timers and events, or leaves in promises that nobody looks at. They are their owner's, who has run or loaded the code:
 * sockets, timers and promises inherit it from where they are made, those of dependencies too. Without one, those of a package are told by the files that they
 * come from. Neither ends the process.
 */
export class StrayErrors {
  readonly #owners = new AsyncLocalStorage<StrayOwner>();
  readonly #logger: StrayLogger;
  readonly #folders = new Map<string, string>();
  readonly #roots = new Set<string>();

  constructor(logger: StrayLogger) {
    this.#logger = logger;
  }

  /** Files in the folder, links resolved, are those of the package. */
  know(folder: string, name: string): void {
    this.#folders.set(folder, name);
  }

  /** Files in the folder, links resolved, are those of packages, which lie in it or in its `node_modules`. */
  knowAll(root: string): void {
    this.#roots.add(root);
  }

  run<T>(owner: StrayOwner, work: () => T): T {
    return this.#owners.run(owner, work);
  }

  /** As `run`, where nobody else is the owner of what runs. */
  runOwn<T>(owner: StrayOwner, work: () => T): T {
    return this.#owners.getStore() ? work() : this.run(owner, work);
  }

  /** Logs the error and tells its owner. False: nobody knows whose it is. Never throws, whatever was thrown. */
  take(error: unknown, kind: StrayKind): boolean {
    const owner = this.#owners.getStore();
    const stack = stackOf(error);
    const name = packageOfStack(stack, this.#folders) ?? owner?.package ?? folderInStack(stack, this.#roots);
    const fields = { error: errorMessage(error), err: error, ...(name !== undefined && { package: name }) };
    try {
      (owner?.logger ?? this.#logger).error(fields, 'an error that nobody has caught');
      owner?.failed?.(error, kind);
    } catch (failure) {
      this.#logger.error({ error: errorMessage(failure) }, 'the owner of an error could not be told of it');
    }
    return owner !== undefined || name !== undefined;
  }

  /**
   * From now on, for the process: an error that is nobody's ends it. To be called before packages are loaded. Listeners of theirs do not stay: compilers to
   * WebAssembly put in some that throw, which would end the process. Nor do they take away listeners of others, those for signals included.
   */
  listen(process: NodeJS.Process, { end, atRejections = false }: StrayEnds): void {
    keepListeners(process, { isPackage: () => this.#owners.getStore() !== undefined, refused: strayEvents });
    process.on('unhandledRejection', (error) => {
      if (!this.take(error, 'rejected') && atRejections) end();
    });
    process.on('uncaughtException', (error) => {
      if (!this.take(error, 'thrown')) end();
    });
  }
}

/** The package whose file is the first in the stack that is of any; `undefined`: there is none. */
function packageOfStack(stack: string, folders: ReadonlyMap<string, string>): string | undefined {
  for (const line of stack.split('\n')) {
    const found = [...folders].find(([folder]) => line.includes(`${folder}/`));
    if (found) return found[1];
  }
  return undefined;
}

/** As the folder is called in one of the roots: that of a dependency, say, or of a package that is no longer loaded. */
function folderInStack(stack: string, roots: ReadonlySet<string>): string | undefined {
  for (const root of roots) {
    const [, ...rest] = stack.split(`${root}/`);
    const name = /^(?:node_modules\/)?((?:@[^/]+\/)?[^/]+)\//.exec(rest[0] ?? '')?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** With the paths of ES modules as those of files are written. */
function stackOf(error: unknown): string {
  try {
    const stack = error instanceof Error ? String(error.stack) : '';
    return stack.replace(/file:\/\/\S+/g, decoded);
  } catch {
    return ''; // a stack of its own making
  }
}

function decoded(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
