import type { Item, WorkflowNode } from '@sluice/domain';
import type { CapabilityType } from '@sluice/node-sdk';
import type { CallKind } from './ai-usage.ts';

/** A try of a run of a main node. */
export interface CallRoot {
  nodeName: string;
  runIndex: number;
  /** 1-based. */
  tryNumber: number;
}

/** A call of a capability: of a model, a tool, or another sub-node. */
export interface SubNodeCall {
  /** The sub-node. */
  definition: Readonly<WorkflowNode>;
  /** Whether it has its own sub-nodes, whose calls may be within this call. */
  hasSubNodes: boolean;
  type: CapabilityType;
  method: string;
  /** Name of the tool, since a node may supply several tools. */
  tool: string | undefined;
  input: unknown;
  /** The node that makes the call. */
  parentName: string;
  /** The run of the main node at which the chain of sub-nodes begins, its try, and its `$now`. */
  root: CallRoot & { nowMs: number };
  /** Index of the item of the main node, and the item itself. */
  item: number;
  origin: Readonly<Item> | undefined;
  /** For records: the model of a capability that has one. */
  model: string | undefined;
  mayAct: boolean;
  signal: AbortSignal;
}

export function isSameTry(a: CallRoot, b: CallRoot): boolean {
  return a.nodeName === b.nodeName && a.runIndex === b.runIndex && a.tryNumber === b.tryNumber;
}

/** How a call counts toward the limits of AI nodes; `undefined`: it does not count. */
export function kindOf({ type }: SubNodeCall): CallKind | undefined {
  if (type === 'ai_languageModel') return 'modelCalls';
  return type === 'ai_tool' ? 'toolCalls' : undefined;
}
