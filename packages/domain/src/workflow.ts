import type { Item } from './item.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from './json.ts';

export const onErrorPolicies = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
export type OnErrorPolicy = (typeof onErrorPolicies)[number];

/** A vertex of the graph. Properties we do not know are kept and returned as they came (Contract 1.4). */
export interface WorkflowNode {
  id?: string;
  name: string;
  type: string;
  /** Absent: the node type's default version. */
  typeVersion?: number;
  position: [number, number];
  parameters: JsonObject;
  credentials?: Record<string, { id?: string | null; name?: string }>;
  disabled?: boolean;
  onError?: OnErrorPolicy;
  /** Older form of `onError: continueRegularOutput`. */
  continueOnFail?: boolean;
  retryOnFail?: boolean;
  /** Tries in all, 2 to 5; default 3. */
  maxTries?: number;
  /** Milliseconds between tries, 0 to 5000; default 1000. */
  waitBetweenTries?: number;
  executeOnce?: boolean;
  alwaysOutputData?: boolean;
  /** Of nodes that are called over HTTP: stands before paths that hold parameters, and for those that are empty. */
  webhookId?: string;
}

export interface Connection {
  /** Name of the target node. */
  node: string;
  /** Connection type, `main` for items. */
  type: string;
  /** Input of the target node. */
  index: number;
}

/** Source node name → output type → per output index, its targets. Real files hold nulls where an output has none. */
export type Connections = Record<string, Record<string, (Connection[] | null)[]>>;

export interface WorkflowSettings {
  /** `v1`: depth-first by position. `v0`, the meaning of absent: breadth-first by connection order. */
  executionOrder?: 'v0' | 'v1';
  /** IANA zone; absent or `DEFAULT`: the instance's. */
  timezone?: string;
  /** Seconds after which a run ends with an error; absent, 0 or negative: no limit. */
  executionTimeout?: number;
  /** What becomes of an execution that ended so, unless it is manual: `none` deletes it, all else keeps it. */
  saveDataSuccessExecution?: string;
  saveDataErrorExecution?: string;
  /** The same for manual executions: false deletes them. */
  saveManualExecutions?: boolean | string;
  /** `MisfirePolicy` and `OverlapPolicy` of schedules whose nodes say nothing of it. */
  misfirePolicy?: string;
  overlapPolicy?: string;
  [key: string]: JsonValue | undefined;
}

/** Milliseconds at most, as a 32-bit integer column holds: 24 days. */
const maxTimeoutMs = 2_147_483_647;

/** Milliseconds that the settings allow a run; null: no limit. */
export function timeoutMsOf(settings: WorkflowSettings | undefined): number | null {
  const seconds = settings?.executionTimeout;
  return typeof seconds === 'number' && seconds > 0 ? Math.min(Math.ceil(seconds * 1000), maxTimeoutMs) : null;
}

/** An item as editors pin it: whole, or its JSON alone. */
export type PinnedItem = Item | JsonObject;

/** The item that a pinned one means. */
export function toItem(pinned: PinnedItem): Item {
  return isItem(pinned) ? pinned : { json: pinned };
}

export function isItem(pinned: PinnedItem): pinned is Item {
  return isJsonObject(ownProperty(pinned, 'json'));
}

/** What an execution runs: immutable once stored. */
export interface WorkflowGraph {
  name: string;
  nodes: WorkflowNode[];
  connections: Connections;
  settings?: WorkflowSettings;
  /** Node name → items that stand in for a run of the node in `manual` mode. */
  pinData?: Record<string, PinnedItem[]>;
  /** What runs keep for later ones, part by part (`static-data.ts`). */
  staticData?: JsonObject | null;
}
