import type { EvaluationScope } from './api.ts';
import type { CompiledTree } from './compiled-tree.ts';
import { OperatorEvaluator, unlessGuestNeeded } from './operator-evaluator.ts';
import type { HostLeaf } from './parameter-tree.ts';
import type { GuestSlot } from './protocol.ts';
import { evaluationCount } from './scope-reads.ts';

/** Strings that the host evaluates for one node; for more of them a call to a thread is little, and this thread serves others too. */
const maxEvaluations = 500;

/** What the guest would answer, as far as operators go: item → leaf. `undefined` where it has to be asked. */
export function hostSlots({ hostLeaves }: CompiledTree, scope: EvaluationScope): GuestSlot[][] | undefined {
  const itemCount = scope.onlyItem === undefined ? evaluationCount(scope) : 1;
  if (!hostLeaves || hostLeaves.length * itemCount > maxEvaluations) return undefined;
  const evaluator = new OperatorEvaluator(scope);
  const firstItem = scope.onlyItem ?? 0;
  const items = Array.from({ length: itemCount }, (_, i) => firstItem + i);
  return unlessGuestNeeded(() => items.map((itemIndex) => hostLeaves.map((leaf) => slotOf(leaf, evaluator, itemIndex))));
}

function slotOf({ parts, whole }: HostLeaf, evaluator: OperatorEvaluator, itemIndex: number): GuestSlot {
  const [first] = parts;
  if (!whole || !first || 'text' in first) return [evaluator.print(parts, itemIndex)];
  const value = evaluator.evaluate(first.expression, itemIndex);
  return value === undefined ? [] : [value];
}
