import { AsyncLocalStorage } from 'node:async_hooks';
import { errorMessage } from '@sluice/domain';

/** Thrown from a timer or an event, or left in a promise that nobody looks at. */
export type StrayKind = 'thrown' | 'rejected';

export interface StrayLogger {
  error(fields: object, message: string): void;
}

/** Whose code it is that runs: told what it has thrown where nobody could catch it. */
export interface StrayOwner {
  /** Gets the line about the error; absent: the logger of the process. */
  readonly logger?: StrayLogger;
  failed?(error: unknown, kind: StrayKind): void;
}

export interface StrayEnds {
  end(): void;
  /** Promises that fail unseen end the process too. */
  atRejections?: boolean;
}

/**
 * Errors that code of nodes throws from timers and events, or leaves in promises that nobody looks at. They are their owner's, who has run the code; without
 * one, those of a package are told by the files that they come from. Neither ends the process.
 */
export class StrayErrors {
  readonly #owners = new AsyncLocalStorage<StrayOwner>();
  readonly #logger: StrayLogger;
  readonly #folders: ReadonlyMap<string, string>;

  /** @param folders folder of a package, links resolved → its name. */
  constructor(logger: StrayLogger, folders: ReadonlyMap<string, string> = new Map()) {
    this.#logger = logger;
    this.#folders = folders;
  }

  run<T>(owner: StrayOwner, work: () => T): T {
    return this.#owners.run(owner, work);
  }

  /** Logs the error and tells its owner. False: nobody knows whose it is. */
  take(error: unknown, kind: StrayKind): boolean {
    const owner = this.#owners.getStore();
    const name = packageOfStack(error, this.#folders);
    const fields = { error: errorMessage(error), err: error, ...(name !== undefined && { package: name }) };
    (owner?.logger ?? this.#logger).error(fields, 'an error that nobody has caught');
    owner?.failed?.(error, kind);
    return owner !== undefined || name !== undefined;
  }

  /** From now on, for the process: an error that is nobody's ends it. */
  listen(process: NodeJS.Process, { end, atRejections = false }: StrayEnds): void {
    process.on('unhandledRejection', (error) => {
      if (!this.take(error, 'rejected') && atRejections) end();
    });
    process.on('uncaughtException', (error) => {
      if (!this.take(error, 'thrown')) end();
    });
  }
}

/** The package whose file is the first in the stack that is of any; `undefined`: there is none. */
export function packageOfStack(error: unknown, folders: ReadonlyMap<string, string>): string | undefined {
  for (const line of stackOf(error).split('\n')) {
    const found = [...folders].find(([folder]) => line.includes(`${folder}/`));
    if (found) return found[1];
  }
  return undefined;
}

function stackOf(error: unknown): string {
  try {
    return error instanceof Error ? decodeURI(String(error.stack)) : '';
  } catch {
    return ''; // a stack of its own making
  }
}
