import { NotFoundError, type WorkflowGraph, type WorkflowId } from '@sluice/domain';
import QuickLRU from 'quick-lru';
import type { GraphRepository } from './graph-repository.ts';

const maxGraphs = 500;
/** Maximum total size of the graphs' JSON text; parsed graphs need a few times as much memory. */
const maxTotalBytes = 64 * 1024 * 1024;

interface CachedGraph {
  loading: Promise<WorkflowGraph>;
  /** 0 until it has been loaded. */
  bytes: number;
}

/**
 * Graphs by content. They are immutable, so a process reads and parses each once, unless they
 * exceed the limits of the cache.
 */
export class GraphCache {
  readonly #graphs: QuickLRU<string, CachedGraph>;
  readonly #repository: Pick<GraphRepository, 'findSized'>;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(repository: Pick<GraphRepository, 'findSized'>, maxBytes = maxTotalBytes) {
    this.#repository = repository;
    this.#maxBytes = maxBytes;
    this.#graphs = new QuickLRU({ maxSize: maxGraphs, onEviction: (_, { bytes }) => this.#forget(bytes) });
  }

  /** Throws `NotFoundError` if the workflow has been deleted. */
  get(workflowId: WorkflowId, hash: string): Promise<WorkflowGraph> {
    const key = `${workflowId} ${hash}`;
    const entry = this.#graphs.get(key);
    if (entry) return entry.loading;
    const cached: CachedGraph = { loading: this.#load(workflowId, hash, (bytes) => this.#weigh(key, cached, bytes)), bytes: 0 };
    this.#graphs.set(key, cached);
    cached.loading.catch(() => {
      if (this.#graphs.peek(key) === cached) this.#graphs.delete(key);
    });
    return cached.loading;
  }

  async #load(workflowId: WorkflowId, hash: string, loaded: (bytes: number) => void): Promise<WorkflowGraph> {
    const sizedGraph = await this.#repository.findSized(workflowId, hash);
    if (!sizedGraph) throw new NotFoundError(`workflow ${workflowId} does not exist`);
    loaded(sizedGraph.bytes);
    return sizedGraph.graph;
  }

  #weigh(key: string, cached: CachedGraph, bytes: number): void {
    if (this.#graphs.peek(key) !== cached) return; // evicted while loading
    cached.bytes = bytes;
    this.#bytes += bytes;
    // the last graph is never evicted
    while (this.#bytes > this.#maxBytes && this.#graphs.size > 1) this.#graphs.evict(1);
  }

  #forget(bytes: number): void {
    this.#bytes -= bytes;
  }
}
