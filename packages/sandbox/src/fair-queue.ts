/** The queue of an entry. */
interface Owner {
  readonly projectId: string;
  readonly workflowId: string;
}

interface Waiting {
  readonly origin: Owner;
  readonly promise: Promise<unknown>;
  reject(reason: unknown): void;
}

/**
 * Queues an entry, and resolves when its turn comes, which `serve` checks at once. Rejects with the
 * signal's reason if that fires before.
 */
export async function waitForTurn<Entry extends Waiting>(
  queue: FairQueue<Entry>,
  waiting: Entry,
  signal: AbortSignal,
  serve: () => void,
): Promise<Awaited<Entry['promise']>> {
  signal.throwIfAborted();
  const onAbort = () => {
    if (queue.remove(waiting.origin, waiting)) waiting.reject(signal.reason);
  };
  queue.add(waiting.origin, waiting);
  signal.addEventListener('abort', onAbort, { once: true });
  serve();
  try {
    return (await waiting.promise) as Awaited<Entry['promise']>;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Waiting entries, with a queue per workflow. Projects are served in turns, and within each
 * project its workflows, so that a long queue delays only itself, and many workflows delay only
 * their own project. Within a queue, the first entry that may go is served.
 */
export class FairQueue<T> {
  /** Project → workflow → its queue. The next to serve come first. None is empty. */
  readonly #projects = new Map<string, Map<string, T[]>>();

  add({ projectId, workflowId }: Owner, entry: T): void {
    const lines = this.#projects.get(projectId) ?? new Map<string, T[]>();
    this.#projects.set(projectId, lines);
    const line = lines.get(workflowId);
    if (line) line.push(entry);
    else lines.set(workflowId, [entry]);
  }

  /** Returns false if the entry is no longer queued. */
  remove({ projectId, workflowId }: Owner, entry: T): boolean {
    const lines = this.#projects.get(projectId);
    const line = lines?.get(workflowId);
    const index = line?.indexOf(entry) ?? -1;
    if (!lines || !line || index < 0) return false;
    line.splice(index, 1);
    if (line.length === 0) lines.delete(workflowId);
    if (lines.size === 0) this.#projects.delete(projectId);
    return true;
  }

  /** Removes the next entry that may go; its workflow and project then come last. */
  next(mayGo: (entry: T) => boolean): T | undefined {
    for (const [projectId, lines] of this.#projects) {
      for (const [workflowId, line] of lines) {
        const index = line.findIndex(mayGo);
        if (index < 0) continue;
        const [entry] = line.splice(index, 1);
        lines.delete(workflowId);
        if (line.length > 0) lines.set(workflowId, line);
        this.#projects.delete(projectId);
        if (lines.size > 0) this.#projects.set(projectId, lines);
        return entry;
      }
    }
    return undefined;
  }

  count(isCounted: (entry: T) => boolean): number {
    return this.#entries().filter(isCounted).length;
  }

  /** Removes all entries. */
  drain(): T[] {
    const entries = this.#entries();
    this.#projects.clear();
    return entries;
  }

  #entries(): T[] {
    return [...this.#projects.values()].flatMap((lines) => [...lines.values()].flat());
  }
}
