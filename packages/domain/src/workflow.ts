import type { Item } from './item.ts';
import type { JsonObject, JsonValue } from './json.ts';

export const onErrorPolicies = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
export type OnErrorPolicy = (typeof onErrorPolicies)[number];

/** A vertex of the graph. Properties we do not know are kept and returned as they came (decision 1.4). */
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
  [key: string]: JsonValue | undefined;
}

/** Milliseconds at most, as a 32-bit integer column holds: 24 days. */
const maxTimeoutMs = 2_147_483_647;

/** Milliseconds that the settings allow a run; null: no limit. */
export function timeoutMsOf(settings: WorkflowSettings | undefined): number | null {
  const seconds = settings?.executionTimeout;
  return typeof seconds === 'number' && seconds > 0 ? Math.min(Math.ceil(seconds * 1000), maxTimeoutMs) : null;
}

/** What an execution runs: immutable once stored. */
export interface WorkflowGraph {
  name: string;
  nodes: WorkflowNode[];
  connections: Connections;
  settings?: WorkflowSettings;
  /** Node name → items that stand in for a run of the node in `manual` mode. */
  pinData?: Record<string, Item[]>;
  staticData?: JsonObject | null;
}
