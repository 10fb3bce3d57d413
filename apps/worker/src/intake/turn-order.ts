import type { QueuedWorkflow, Turns } from '@sluice/db';

/**
 * Assigns turns to queued workflows: by weight between projects, then by priority between the
 * workflows of a project. Each gets its share, so no workflow starves.
 */
export class TurnOrder {
  readonly #projects = new Strides<string>();
  readonly #workflows = new Map<string, Strides<string>>();

  /** Whether no workflow is left. */
  get isEmpty(): boolean {
    return this.#workflows.size === 0;
  }

  /** Replaces the workflows that get turns. Workflows that remain keep their place. */
  update(queued: readonly QueuedWorkflow[]): void {
    this.#projects.update(new Map(queued.map(({ projectId, weight }) => [projectId, weight])));
    const byProject = Map.groupBy(queued, ({ projectId }) => projectId);
    for (const id of this.#workflows.keys()) if (!byProject.has(id)) this.#workflows.delete(id);
    for (const [projectId, ofProject] of byProject) {
      const strides = this.#workflows.get(projectId) ?? new Strides<string>();
      strides.update(new Map(ofProject.map(({ workflowId, priority }) => [workflowId, priority])));
      this.#workflows.set(projectId, strides);
    }
  }

  /** Returns the next `count` turns; empty if no workflow is left. */
  next(count: number): Turns[] {
    const turns = new Map<string, Turns>();
    for (let i = 0; i < count; i += 1) {
      const projectId = this.#projects.next();
      const workflowId = projectId === undefined ? undefined : this.#workflows.get(projectId)?.next();
      if (projectId === undefined || workflowId === undefined) break;
      const turn = turns.get(workflowId) ?? { projectId, workflowId, count: 0 };
      turn.count += 1;
      turns.set(workflowId, turn);
    }
    return [...turns.values()];
  }

  /** The workflow gets no turn until an update. */
  remove({ projectId, workflowId }: Pick<Turns, 'projectId' | 'workflowId'>): void {
    const strides = this.#workflows.get(projectId);
    strides?.remove(workflowId);
    if (strides?.size !== 0) return;
    this.#workflows.delete(projectId);
    this.#projects.remove(projectId);
  }
}

/**
 * Stride scheduling: the next turn goes to the member with the lowest pass, which then advances by
 * 1 / weight. A new member starts at the pass of the last turn, so it is next, but has no credit
 * from before. (C. A. Waldspurger, W. E. Weihl, "Stride Scheduling", MIT/LCS/TM-528, 1995)
 */
class Strides<Member> {
  readonly #members = new Map<Member, { weight: number; pass: number }>();
  #lastPass = 0;

  get size(): number {
    return this.#members.size;
  }

  update(weights: ReadonlyMap<Member, number>): void {
    for (const member of this.#members.keys()) if (!weights.has(member)) this.#members.delete(member);
    for (const [member, weight] of weights)
      this.#members.set(member, { weight, pass: this.#members.get(member)?.pass ?? this.#lastPass });
  }

  next(): Member | undefined {
    let first: Member | undefined;
    let lowest = Number.POSITIVE_INFINITY;
    for (const [member, { pass }] of this.#members) if (pass < lowest) [first, lowest] = [member, pass];
    if (first === undefined) return undefined;
    this.#lastPass = lowest;
    const { weight } = this.#members.get(first) as { weight: number };
    this.#members.set(first, { weight, pass: lowest + 1 / weight });
    return first;
  }

  remove(member: Member): void {
    this.#members.delete(member);
  }
}
