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
    const queues = this.#projects.get(projectId) ?? new Map<string, T[]>();
    this.#projects.set(projectId, queues);
    const queue = queues.get(workflowId);
    if (queue) queue.push(entry);
    else queues.set(workflowId, [entry]);
  }

  /** Returns false if the entry is no longer queued. */
  remove({ projectId, workflowId }: Owner, entry: T): boolean {
    const queues = this.#projects.get(projectId);
    const queue = queues?.get(workflowId);
    const index = queue?.indexOf(entry) ?? -1;
    if (!queues || !queue || index < 0) return false;
    queue.splice(index, 1);
    if (queue.length === 0) queues.delete(workflowId);
    if (queues.size === 0) this.#projects.delete(projectId);
    return true;
  }

  /** Removes the next entry that may go; its workflow and project then come last. */
  next(mayGo: (entry: T) => boolean): T | undefined {
    for (const [projectId, queues] of this.#projects) {
      for (const [workflowId, queue] of queues) {
        const index = queue.findIndex(mayGo);
        if (index < 0) continue;
        const [entry] = queue.splice(index, 1);
        queues.delete(workflowId);
        if (queue.length > 0) queues.set(workflowId, queue);
        this.#projects.delete(projectId);
        if (queues.size > 0) this.#projects.set(projectId, queues);
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
    return [...this.#projects.values()].flatMap((queues) => [...queues.values()].flat());
  }
}
