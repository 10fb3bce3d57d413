import type { JsonObject } from '../json/json.ts';
import type { NodeOutput } from './item.ts';

/** A failure in stored and displayed form: plain data, no stack. */
export interface ErrorRecord {
  message: string;
  code?: string;
  /** Name of the node that failed. */
  node?: string;
  /** Class of the error, for example `NodeOperationError`. */
  name?: string;
  description?: string;
  /** Index of the input item that failed. */
  itemIndex?: number;
  details?: JsonObject;
}

/** Source of an input of a node run. */
export interface NodeRunSource {
  previousNode: string;
  /** Default 0. */
  previousNodeOutput?: number | undefined;
  /** Default 0. */
  previousNodeRun?: number | undefined;
}

/** A note from a node for users who view its run. */
export interface NodeHint {
  /** At most 1,000 characters. */
  message: string;
  type?: 'info' | 'warning' | 'danger';
  /** Where an editor displays it. */
  location?: 'outputPane' | 'inputPane' | 'ndv';
  whenToDisplay?: 'always' | 'beforeExecution' | 'afterExecution';
}

/**
 * One run of one node within an execution; the element type of the arrays in `runData` (Contract
 * 4.9).
 */
export interface NodeRun {
  /** Milliseconds since the epoch. */
  startTime: number;
  /** Milliseconds. */
  executionTime: number;
  executionStatus: 'success' | 'error';
  /** Per input; null for an input without data. */
  source: (NodeRunSource | null)[];
  /** Output type → outputs. Absent if the node failed before it returned output. */
  data?: Record<string, NodeOutput>;
  /**
   * Call of a sub-node: connection type → its input. `data` has its output under the same type, and
   * `metadata` `use` (the called method), `step` (1-based order of starts within the node that uses
   * it), `subExecution` (the execution of a workflow that it called), and for models `model` and
   * `usage` (tokens).
   */
  inputOverride?: Record<string, NodeOutput>;
  error?: ErrorRecord;
  /**
   * The node's context for its next run within the execution, if this run changed it
   * (`ExecuteContext.setNodeContext`).
   */
  contextAfter?: JsonObject;
  /** Entries of the execution's custom data that this run set. */
  customData?: Record<string, string>;
  /**
   * The parts of the workflow's static data that this run changed, in full, by key
   * (`static-data.ts`).
   */
  staticData?: JsonObject;
  /** Log output of sandboxed user code, in order. */
  logs?: string[];
  /** The node's notes for users who view the run, in order. */
  hints?: NodeHint[];
  /**
   * The node's information about the run, in addition to its output. The engine adds `failedTries`:
   * the tries before the last one, with their start, duration, and message.
   */
  metadata?: JsonObject;
  /** Data exceeded a limit and was omitted. */
  truncated?: boolean;
}

/** Node name → runs. Without a prototype, because users choose the names. */
export type RunData = Record<string, NodeRun[]>;

/** A node run with its position: stored one row each, and read back when an execution resumes. */
export interface NodeRunRecord<Run = NodeRun> {
  nodeName: string;
  /** 0-based count of this node's runs within the execution. */
  runIndex: number;
  run: Run;
}
