import { assertNever, type Item, ownProperty } from '@sluice/domain';
import type { EvaluationScope } from '../api.ts';
import { notExecuted, unknownNode } from '../guest/messages.ts';
import {
  contextOf,
  executionView,
  knownRunsOf,
  lastItemsOf,
  lastRunOf,
  ReferenceFailure,
  workflowView,
} from '../scope/evaluation-scope.ts';
import type { ItemRead, NodeRead, PathRoot, ScopeName } from './parse-path.ts';

/** The start of a path for one item. Throws a `ReferenceFailure` like `readPath`. */
export function readRoot(root: PathRoot, scope: EvaluationScope, itemIndex: number): unknown {
  switch (root.kind) {
    case 'scope':
      return readScope(root.name, scope, itemIndex);
    case 'late':
      return scope.names && ownProperty(scope.names, root.name);
    case 'items':
      return root.node === undefined ? scope.items : (lastRunOf(scope, root.node).outputs[0] ?? []);
    case 'input':
      return root.read === 'item' ? scope.items[itemIndex] : readItems(scope.items, root.read);
    case 'node':
      return readNode(root.node, root.read, scope, itemIndex);
    case 'nodeTable':
      return readNodeTable(root.node, scope, itemIndex);
    default:
      return assertNever(root);
  }
}

function readScope(name: ScopeName, scope: EvaluationScope, itemIndex: number): unknown {
  switch (name) {
    case '$json':
      return scope.items[itemIndex]?.json;
    case '$binary':
      return scope.items[itemIndex]?.binary ?? {};
    case '$itemIndex':
      return itemIndex;
    case '$runIndex':
      return scope.runIndex;
    case '$workflow':
      return workflowView(scope);
    case '$execution':
      return executionView(scope);
    case '$vars':
      return scope.vars;
    case '$env':
      return scope.env;
    case '$nodeVersion':
      return scope.node.typeVersion;
    case '$prevNode':
      return scope.previousNode;
    case '$parameter':
      return scope.node.parameters;
    default:
      return assertNever(name);
  }
}

function readItems(items: readonly Item[], read: Exclude<ItemRead, 'item'>): unknown {
  if (read === 'all') return items;
  return read === 'first' ? items[0] : items.at(-1);
}

function readNode(name: string, read: ItemRead | NodeRead, scope: EvaluationScope, itemIndex: number): unknown {
  if (read === 'params') return parametersOf(scope, name);
  if (read === 'context') return contextOf(scope, name);
  const runs = knownRunsOf(scope, name);
  if (read === 'isExecuted') return runs.length > 0;
  if (read !== 'item') return readItems(lastItemsOf(scope, name), read);
  if (runs.length === 0) throw new ReferenceFailure(notExecuted(name));
  const paired = scope.pairedItem(name, itemIndex);
  if ('error' in paired) throw new ReferenceFailure(paired.error);
  return paired.item;
}

/** Members are getters, because a node that did not run has parameters but no items. */
function readNodeTable(name: string, scope: EvaluationScope, itemIndex: number): unknown {
  const item = () => lastItemsOf(scope, name)[itemIndex];
  return {
    get json() {
      return item()?.json;
    },
    get data() {
      return item()?.json;
    },
    get binary() {
      return item()?.binary;
    },
    get parameter() {
      return parametersOf(scope, name);
    },
    get params() {
      return parametersOf(scope, name);
    },
    get context() {
      return contextOf(scope, name);
    },
    get runIndex() {
      return knownRunsOf(scope, name).length - 1;
    },
  };
}

function parametersOf(scope: EvaluationScope, name: string): unknown {
  const parameters = scope.parametersOf(name);
  if (!parameters) throw new ReferenceFailure(unknownNode(name));
  return parameters;
}
