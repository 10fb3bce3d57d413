import type { NodeOutput } from './item.ts';
import type { JsonObject } from './json.ts';

/** A failure as it is stored and shown: plain data, no stack. */
export interface ErrorRecord {
  message: string;
  code?: string;
  /** Name of the node that failed. */
  node?: string;
  /** Class of the error, for example `NodeOperationError`. */
  name?: string;
  description?: string;
  /** Index of the input item it failed on. */
  itemIndex?: number;
  details?: JsonObject;
}

/** Where an input of a node run came from. */
export interface NodeRunSource {
  previousNode: string;
  /** Default 0. */
  previousNodeOutput?: number;
  /** Default 0. */
  previousNodeRun?: number;
}

/** A note of a node for whoever looks at its run. */
export interface NodeHint {
  /** 1,000 characters at most. */
  message: string;
  type?: 'info' | 'warning' | 'danger';
  /** Where an editor shows it. */
  location?: 'outputPane' | 'inputPane' | 'ndv';
  whenToDisplay?: 'always' | 'beforeExecution' | 'afterExecution';
}

/** One run of one node within an execution; what `runData` holds in its arrays (Contract 4.9). */
export interface NodeRun {
  /** Milliseconds since the epoch. */
  startTime: number;
  /** Milliseconds. */
  executionTime: number;
  executionStatus: 'success' | 'error';
  /** Per input; null where an input got nothing. */
  source: (NodeRunSource | null)[];
  /** Output type → outputs. Absent when the node failed before it gave anything. */
  data?: Record<string, NodeOutput>;
  error?: ErrorRecord;
  /** What the node keeps for its next run within the execution, where this run changed it (`ExecuteContext.keepNodeContext`). */
  contextAfter?: JsonObject;
  /** Entries of the execution's custom data that this run set. */
  customData?: Record<string, string>;
  /** The parts of the workflow's static data that this run changed, whole, by their keys (`static-data.ts`). */
  staticData?: JsonObject;
  /** Where sandboxed user code wrote, in order. */
  logs?: string[];
  /** What the node notes for whoever looks at the run, in order. */
  hints?: NodeHint[];
  /** What the node says about the run beside its output. */
  metadata?: JsonObject;
  /** Data were over a cap and left out. */
  truncated?: boolean;
}

/** Node name → runs. Has no prototype: names are the users'. */
export type RunData = Record<string, NodeRun[]>;

/** A node run with its place: what is stored, one row each, and what a resumed execution reads back. */
export interface NodeRunRecord {
  nodeName: string;
  /** 0-based count of this node's runs within the execution. */
  runIndex: number;
  run: NodeRun;
}
