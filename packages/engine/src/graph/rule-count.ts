import { type TriggerSpec, ValidationError } from '@sluice/domain';

/**
 * Maximum number of schedule rules and poll times across a workflow's nodes. The next tick of a
 * node is computed from all its rules.
 */
const maxRules = 100;

/** Counts the schedule rules and poll times of one workflow's nodes. */
export class RuleCount {
  #count = 0;

  /** Adds a node's rules. Throws `ValidationError` for the node that exceeds the maximum. */
  add(specs: readonly TriggerSpec[]): void {
    const before = this.#count;
    for (const spec of specs) if (spec.kind === 'schedule' || spec.kind === 'poll') this.#count += spec.rules.length;
    if (before > maxRules || this.#count <= maxRules) return;
    throw new ValidationError(`a workflow has at most ${maxRules} schedule rules and poll times, over all its nodes`, '');
  }
}
