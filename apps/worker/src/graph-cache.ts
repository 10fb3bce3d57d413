import type { GraphRepository } from '@sluice/db';
import { NotFoundError, type WorkflowGraph, type WorkflowId } from '@sluice/domain';
import QuickLRU from 'quick-lru';

const maxGraphs = 500;

/** Graphs by content: they never change, so a worker reads and parses each once. */
export class GraphCache {
  readonly #graphs = new QuickLRU<string, Promise<WorkflowGraph>>({ maxSize: maxGraphs });
  readonly #repository: GraphRepository;

  constructor(repository: GraphRepository) {
    this.#repository = repository;
  }

  /** Throws `NotFoundError` when the workflow has been deleted. */
  get(workflowId: WorkflowId, hash: string): Promise<WorkflowGraph> {
    const key = `${workflowId} ${hash}`;
    const known = this.#graphs.get(key);
    if (known) return known;
    const loading = this.#load(workflowId, hash);
    this.#graphs.set(key, loading);
    loading.catch(() => this.#graphs.delete(key));
    return loading;
  }

  async #load(workflowId: WorkflowId, hash: string): Promise<WorkflowGraph> {
    const graph = await this.#repository.find(workflowId, hash);
    if (!graph) throw new NotFoundError(`workflow ${workflowId} does not exist`);
    return graph;
  }
}
