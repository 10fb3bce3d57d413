import type { BinaryReference, ExecutionMode, Item, JsonObject, JsonValue } from '@sluice/domain';
import type { TemplatePart } from '@sluice/expressions';
import type { CodeRunRequest, StaticData } from './api.ts';

/*
 * Messages between host and guest, always as JSON text. User text runs next to the code that writes
 * the guest's replies, so the host validates every reply.
 */

/** An item as sent to the guest. */
export interface GuestItem {
  json: JsonObject;
  binary?: Record<string, BinaryReference>;
}

/** One kind of data about one node. */
export interface NodeNeed {
  node: string;
  /** `allPaired`: `paired` also for the items that the node does not take (`executeOnce`). */
  aspect: 'runs' | 'paired' | 'allPaired' | 'parameters' | 'context';
}

/** Data that a guest lacks: data of a node, or the libraries of another image. */
export type Need = NodeNeed | { image: GuestImage };

/** Data of a node that the guest received. An absent aspect was not requested yet. */
export interface GuestNode {
  /** False: the workflow has no node with that name. */
  exists: boolean;
  /** Run → output → indices in the item table. */
  runs?: (number[] | null)[][];
  /** With `runs`: the default output. */
  output?: number;
  /**
   * Per item: an index in the item table, null if the item bypassed the node, or why no paired item
   * can be found.
   */
  paired?: (number | string | null)[];
  /** Per item: `pairedItem` of that item; null if it has no or too many paired items. */
  pairings?: (NonNullable<Item['pairedItem']> | null)[];
  /** Whether `paired` has all items of the input. */
  isWhole?: boolean;
  parameters?: JsonObject;
  context?: JsonObject;
}

/** The execution's custom data so far, and the limits for additions. */
export interface GuestCustomData {
  values: Readonly<Record<string, string>>;
  maxEntries: number;
  maxKeyLength: number;
  maxValueLength: number;
}

export interface GuestScope {
  /** Every item that is sent, once; the rest of the scope contains indices in this table. */
  table: GuestItem[];
  /** Indices of the items of input 0. */
  items: number[];
  /** Number of items that the node accepts. */
  itemCount: number;
  nodes: [name: string, node: GuestNode][];
  runIndex: number;
  nodeName: string;
  nodeVersion: number | null;
  nodeId: string | null;
  parameters: JsonObject;
  previousNode: { name: string; outputIndex: number; runIndex: number } | null;
  workflow: { id: string; name: string; active: boolean };
  mode: ExecutionMode;
  execution: { id: string; mode: 'test' | 'production'; resumeUrl?: string; resumeFormUrl?: string };
  customData: GuestCustomData;
  vars: Readonly<Record<string, JsonValue>>;
  env: Readonly<Record<string, string>>;
  /** Globals in addition to the language's own. */
  names: Readonly<Record<string, JsonValue>>;
  timezone: string;
  nowMs: number;
  /**
   * Four 32-bit words for `Math.random`, because the guest's own generator is part of its snapshot.
   */
  seed: number[];
}

export interface GuestLeaf {
  parts: TemplatePart[];
  /** Whether the whole string is one `{{ }}`, whose value keeps its type. */
  whole: boolean;
  /** Whether the source may change the data that it reads; it then receives copies. */
  mayMutate: boolean;
}

export interface ExpressionRequest {
  scope: GuestScope;
  /** The first leaves, which are evaluated. The leaves after them belong to parameters. */
  leafCount: number;
  /** Parameters that are expressions: the index of the leaf, or the reason why it has no value. */
  parameters: [name: string, leaf: number | string][];
  /** `parameters` of other nodes, by node name, if expressions read them. */
  nodeParameters: [node: string, parameters: ExpressionRequest['parameters']][];
  /** First item for which the leaves are evaluated. */
  firstItem: number;
  itemCount: number;
  maxOutputLength: number;
}

/** `[value]`, `[]` for undefined, or a failure. */
export type GuestSlot = [JsonValue] | [] | { message: string };

/**
 * The guest's reply to an `ExpressionRequest`, as JSON text. `slots`: item → leaf. `customData`:
 * changed values.
 *
 * @public
 */
export type ExpressionReply =
  | { needs: Need[] }
  | { slots: GuestSlot[][]; customData: Record<string, string> | null }
  | { overflow: true };

export interface CodeRequest {
  scope: GuestScope;
  source: string;
  mode: CodeRunRequest['mode'];
  /**
   * Whether a failure on one item leaves the others unaffected; only if the code runs once per
   * item.
   */
  continueOnFail: boolean;
  staticData: StaticData;
  maxOutputLength: number;
  maxLogEntries: number;
  maxLogLength: number;
}

export interface GuestCodeFailure {
  message: string;
  line?: number;
  itemIndex?: number;
  outOfMemory?: true;
  /** The result exceeded the size limit. */
  tooMuch?: true;
}

/**
 * The guest's reply to a `CodeRequest`, as JSON text. `values` contains the result of the code, or
 * one result or failure per item if it runs once per item. An empty array means `undefined`.
 *
 * @public
 */
export type CodeReply =
  | { needs: Need[] }
  | {
      values: ([JsonValue] | [] | GuestCodeFailure)[];
      logs: string[];
      customData: Record<string, string> | null;
      /** The changed parts. */
      staticData: Partial<StaticData> | null;
    }
  | { failure: GuestCodeFailure; logs: string[] };

/**
 * The snapshot from which a call starts. `full` contains luxon, Buffer, and JMESPath. Each costs 50
 * ms once per thread, and a larger copy per call.
 */
export type GuestImage = 'plain' | 'luxon' | 'full';

export interface GuestCall {
  run: 'expressions' | 'code';
  image: GuestImage;
  /** An `ExpressionRequest` or a `CodeRequest`. */
  request: string;
  /** The leaves that `expressions` evaluates. */
  leaves: readonly GuestLeaf[];
  /** Processor time and sleep, in milliseconds. See `CallTimer`. */
  timeoutMs: number;
}

/** A thread's request for the content of a file while its call runs. */
export interface FileRequest {
  /** The id of a reference that the guest received; the host checks that. */
  fileId: string;
}

/** The content of a file, or why the code cannot have it. */
export type FileReply = { content: Uint8Array } | { refusal: string };

/** Reads a file for a guest. Rejects if the call cannot continue. */
export type FileReader = (fileId: string) => Promise<FileReply>;

/** A thread's next task. */
export interface GuestTask {
  call: GuestCall;
  /**
   * The whole guest is cleared between two workflows. Empty: the call belongs to no workflow, so
   * its origin is unknown.
   */
  workflowId: string;
}

/** `pending`: the code waits for a promise that nothing can resolve, not even a timer. */
export type GuestFailure = 'timeout' | 'memory' | 'stack' | 'pending' | 'output' | 'broken';

/** The outcome of a call in a thread. */
export type GuestOutcome = { reply: string } | { failure: GuestFailure };

/**
 * A thread's result for a call. `cpuMs`: processor time of the call and its preparation.
 * `durationMs`: the time that counts toward its limit, which includes sleep.
 */
export interface GuestResult {
  outcome: GuestOutcome;
  cpuMs: number;
  durationMs: number;
}

export interface GuestThreadOptions {
  memoryMb: number;
  /** Whether the machine's other threads have priority. */
  lowPriority: boolean;
}
