import type { BinaryReference, ExecutionMode, JsonObject, JsonValue } from '@sluice/domain';
import type { TemplatePart } from '@sluice/expressions';
import type { CodeRunRequest, StaticData } from './api.ts';

/*
 * What crosses between host and guest, always as JSON text. The guest's side of it is written by code that user text has run
 * beside, so the host checks every answer before it believes it.
 */

/** An item as the guest sees it. */
export interface GuestItem {
  json: JsonObject;
  binary?: Record<string, BinaryReference>;
}

/** One kind of data about one node. */
export interface NodeNeed {
  node: string;
  aspect: 'runs' | 'paired' | 'parameters' | 'context';
}

/** What a guest lacks to go on: data of a node, or the libraries of another image. */
export type Need = NodeNeed | { image: GuestImage };

/** What the guest was given about a node; an aspect that is absent was not asked for yet. */
export interface GuestNode {
  /** False: the workflow has no node of that name. */
  exists: boolean;
  /** Run → output → places in the item table. */
  runs?: (number[] | null)[][];
  /** Per item: a place in the item table, or why there is none. */
  paired?: (number | string)[];
  parameters?: JsonObject;
  context?: JsonObject;
}

/** Custom data of the execution so far, and what bounds additions to it. */
export interface GuestCustomData {
  values: Readonly<Record<string, string>>;
  maxEntries: number;
  maxKeyLength: number;
  maxValueLength: number;
}

export interface GuestScope {
  /** Every item that crosses, once; the rest of the scope holds places in this table. */
  table: GuestItem[];
  /** Places of the items of input 0. */
  items: number[];
  /** How many of them the node takes. */
  itemCount: number;
  nodes: [name: string, node: GuestNode][];
  runIndex: number;
  nodeName: string;
  nodeVersion: number | null;
  nodeId: string | null;
  parameters: JsonObject;
  previousNode: { name: string; outputIndex: number; runIndex: number } | null;
  workflow: { id: string; name: string; active: boolean };
  /** What started the execution. */
  mode: ExecutionMode;
  execution: { id: string; mode: 'test' | 'production'; resumeUrl?: string; resumeFormUrl?: string };
  customData: GuestCustomData;
  vars: Readonly<Record<string, JsonValue>>;
  env: Readonly<Record<string, string>>;
  /** Globals beyond those of the language. */
  names: Readonly<Record<string, JsonValue>>;
  timezone: string;
  nowMs: number;
  /** Four 32-bit words for `Math.random`: the guest's own generator is part of its snapshot. */
  seed: number[];
}

export interface GuestLeaf {
  parts: TemplatePart[];
  /** The whole string is one `{{ }}`: its value keeps its type. */
  whole: boolean;
  /** The source may change what it reads: it is given copies. */
  mayMutate: boolean;
}

export interface ExpressionRequest {
  scope: GuestScope;
  /** Each leaf is evaluated for so many items, from this one on. */
  firstItem: number;
  itemCount: number;
  maxOutputLength: number;
}

/** `[value]`, `[]` for undefined, or a failure. */
export type GuestSlot = [JsonValue] | [] | { message: string };

/** Reply of the guest to an `ExpressionRequest`, as JSON text. `slots`: item → leaf. `customData`: what was set. @public */
export type ExpressionReply =
  | { needs: Need[] }
  | { slots: GuestSlot[][]; customData: Record<string, string> | null }
  | { overflow: true };

export interface CodeRequest {
  scope: GuestScope;
  source: string;
  mode: CodeRunRequest['mode'];
  /** A failure at one item leaves the others alone; only where the code runs once an item. */
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
  /** It returned more than may cross. */
  tooMuch?: true;
}

/**
 * Reply of the guest to a `CodeRequest`, as JSON text. `values` holds the result of the code, or one result or failure per item if
 * it runs once per item; an empty array is `undefined`. @public
 */
export type CodeReply =
  | { needs: Need[] }
  | {
      values: ([JsonValue] | [] | GuestCodeFailure)[];
      logs: string[];
      customData: Record<string, string> | null;
      /** What changed. */
      staticData: Partial<StaticData> | null;
    }
  | { failure: GuestCodeFailure; logs: string[] };

/**
 * Which snapshot a call starts from. `full` has luxon, Buffer and JMESPath. Each costs 50 ms once a thread, and a larger copy
 * each time.
 */
export type GuestImage = 'plain' | 'luxon' | 'full';

export interface GuestCall {
  run: 'expressions' | 'code';
  image: GuestImage;
  /** An `ExpressionRequest` or a `CodeRequest`. */
  request: string;
  /** What `expressions` evaluate. */
  leaves: readonly GuestLeaf[];
  timeoutMs: number;
}

/** How a call into a thread ended. `pending`: the code waits for a promise that nothing can resolve, no timer either. */
export type GuestOutcome = { reply: string } | { failure: 'timeout' | 'memory' | 'stack' | 'pending' | 'output' | 'broken' };

/** What a thread answers to a call. `cpuMs`: what it has computed for it, as opposed to waited. */
export interface GuestAnswer {
  outcome: GuestOutcome;
  cpuMs: number;
}

export interface GuestThreadOptions {
  memoryMb: number;
  /** Other threads of the machine go first. */
  lowPriority: boolean;
}
