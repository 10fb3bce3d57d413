import type { NodeRun, NodeRunRecord } from '@sluice/domain';

/**
 * Recorded node runs to replay, by node and run index. Records without data cannot be replayed and
 * are skipped.
 */
export class Replay {
  readonly #runs = new Map<string, Map<number, NodeRun>>();

  constructor(done: readonly NodeRunRecord[]) {
    for (const { nodeName, runIndex, run } of done) {
      if (run.executionStatus !== 'success' || run.truncated || !run.data) continue;
      const runs = this.#runs.get(nodeName) ?? new Map<number, NodeRun>();
      this.#runs.set(nodeName, runs.set(runIndex, run));
    }
  }

  find(nodeName: string, runIndex: number): NodeRun | undefined {
    return this.#runs.get(nodeName)?.get(runIndex);
  }
}
