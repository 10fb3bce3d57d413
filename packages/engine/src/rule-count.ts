import { type TriggerSpec, ValidationError } from '@sluice/domain';

/** Maximum of schedule rules and poll times, over all nodes of a workflow. The next tick of a node is computed from all its rules. */
const maxRules = 100;

/** Counts the rules by which the nodes of one workflow run. */
export class RuleCount {
  #count = 0;

  /** Adds those of a node. Throws `ValidationError` for the node that exceeds the maximum. */
  add(specs: readonly TriggerSpec[]): void {
    const before = this.#count;
    for (const spec of specs) if (spec.kind === 'schedule' || spec.kind === 'poll') this.#count += spec.rules.length;
    if (before > maxRules || this.#count <= maxRules) return;
    throw new ValidationError(`a workflow has at most ${maxRules} schedule rules and poll times, over all its nodes`, '');
  }
}
