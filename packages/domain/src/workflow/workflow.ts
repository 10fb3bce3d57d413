import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../json/json.ts';
import type { Item } from './item.ts';

export const onErrorPolicies = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
export type OnErrorPolicy = (typeof onErrorPolicies)[number];

/** A vertex of the graph. Unknown properties are stored and returned unchanged (Contract 1.4). */
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
  /** Total tries, 2 to 5; default 3. */
  maxTries?: number;
  /** Milliseconds between tries, 0 to 5000; default 1000. */
  waitBetweenTries?: number;
  executeOnce?: boolean;
  alwaysOutputData?: boolean;
  /** For webhook nodes: prefix of paths with parameters, and the path if no path is set. */
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

/**
 * Source node name → output type → per output index, its targets. Real files have null for outputs
 * without targets.
 */
export type Connections = Record<string, Record<string, (Connection[] | null)[]>>;

export interface WorkflowSettings {
  /** `v1`: depth-first by position. `v0`, the default: breadth-first by connection order. */
  executionOrder?: 'v0' | 'v1';
  /** IANA zone; absent or `DEFAULT`: the instance's. */
  timezone?: string;
  /** Id of the workflow that starts when an execution fails; `DEFAULT` or empty: none. */
  errorWorkflow?: string;
  /** A `CallerPolicy`; with `workflowsFromAList`, `callerIds` has ids separated by commas. */
  callerPolicy?: string | null;
  callerIds?: string | null;
  /** Seconds after which a run ends with an error; absent, 0 or negative: no limit. */
  executionTimeout?: number;
  /**
   * Turns of the workflow, relative to other workflows of its project, while more executions are
   * queued than can start: 1 to 10, default 5.
   */
  priority?: number;
  /**
   * Whether to keep executions with this result, unless manual: `none` deletes them, any other
   * value keeps them.
   */
  saveDataSuccessExecution?: string;
  saveDataErrorExecution?: string;
  /** The same for manual executions: false deletes them. */
  saveManualExecutions?: boolean | string;
  /** Default `MisfirePolicy` and `OverlapPolicy` of the workflow's schedules. */
  misfirePolicy?: string;
  overlapPolicy?: string;
  /** Maximum number of its executions that run at once; absent: any number. */
  concurrency?: ConcurrencySetting;
  [key: string]: JsonValue | undefined;
}

/** A start beyond the limit waits, or its execution ends as `canceled`. */
export const whenFullActions = ['queue', 'skip'] as const;
export type WhenFull = (typeof whenFullActions)[number];

/** A limit counts all executions of a workflow or a project, or those that use a credential. */
export const limitKinds = ['workflow', 'project', 'credential'] as const;
export type LimitKind = (typeof limitKinds)[number];

/** Maximum value of the limits for concurrent executions and for starts per second. */
export const maxConcurrency = 100_000;
export const maxRatePerSecond = 1_000;

export type ConcurrencySetting = {
  limit: number;
  /** Default: `queue`. */
  whenFull?: WhenFull;
};

/** The limit in the workflow's settings; `undefined` if absent or invalid. */
export function concurrencyOf(settings: WorkflowSettings | undefined): Required<ConcurrencySetting> | undefined {
  const { limit, whenFull = 'queue' }: Partial<ConcurrencySetting> = settings?.concurrency ?? {};
  const isValid = Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= maxConcurrency;
  return isValid && whenFullActions.includes(whenFull) ? { limit: limit as number, whenFull } : undefined;
}

/** Maximum of `executionTimeout`: a 32-bit integer column holds the milliseconds. */
export const maxTimeoutSeconds = 2_147_483;

/** Time limit of a run in milliseconds; null: no limit. */
export function timeoutMsOf(settings: WorkflowSettings | undefined): number | null {
  const seconds = settings?.executionTimeout;
  return typeof seconds === 'number' && seconds > 0 ? Math.ceil(Math.min(seconds, maxTimeoutSeconds) * 1000) : null;
}

/** Range of a workflow's priority. */
export const priorities = { min: 1, max: 10 } as const;
export const defaultPriority = 5;

/** The workflow's priority; null: the default. */
export function priorityOf(settings: WorkflowSettings | undefined): number | null {
  const priority: unknown = settings?.priority;
  return isPriority(priority) ? priority : null;
}

function isPriority(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= priorities.min && Number(value) <= priorities.max;
}

/** A pinned item: an item, or its JSON only. */
export type PinnedItem = Item | JsonObject;

/** Converts a pinned item to an item. */
export function toItem(pinned: PinnedItem): Item {
  return isItem(pinned) ? pinned : { json: pinned };
}

export function isItem(pinned: PinnedItem): pinned is Item {
  return isJsonObject(ownProperty(pinned, 'json'));
}

/** The part of a workflow that an execution runs: immutable once stored. */
export interface WorkflowGraph {
  name: string;
  nodes: WorkflowNode[];
  connections: Connections;
  settings?: WorkflowSettings;
  /** Node name → items that replace a run of the node in `manual` mode. */
  pinData?: Record<string, PinnedItem[]>;
  /** Static data, by part (`static-data.ts`). */
  staticData?: JsonObject | null;
}

/** Key of the part of a workflow's static data that all its nodes share. */
export const globalStaticDataKey = 'global';

/** Key of the part that belongs to one node. */
export function nodeStaticDataKey(nodeName: string): string {
  return `node:${nodeName}`;
}
