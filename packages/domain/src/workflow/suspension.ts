import type { ExecutionId } from '../ids.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import type { ResumeForm } from './form.ts';
import type { BinaryReference, Item } from './item.ts';
import type { ErrorRecord } from './node-run.ts';
import type { RequestAuthentication, ResponseHeaders, WebhookFiles, WebhookResponseSpec } from './webhook.ts';

/**
 * The event that a suspended node run waits for (`ExecuteContext.suspend`). Meanwhile the execution
 * does not occupy a worker; then the same node run continues in `NodeType.resume`.
 */
export type Suspension = TimeSuspension | RequestSuspension | WorkflowSuspension;

/** The latest time that all databases can store. */
const lastInstant = Date.UTC(9999, 11, 31);

/**
 * Validates the wait that a node requested. Throws a `TypeError`, which fails the node, if the time
 * is out of range.
 */
export function checkedSuspension(suspension: Suspension): Suspension {
  const at: unknown = 'at' in suspension ? suspension.at : undefined;
  if (at === undefined && suspension.kind !== 'time') return suspension;
  if (typeof at === 'number' && at <= lastInstant && at >= -lastInstant) return suspension;
  throw new TypeError(`a wait must end before the year 10,000, at a time in milliseconds since 1970, not at ${String(at)}`);
}

/** Resumes at a point in time. The execution is `waiting`. */
export interface TimeSuspension {
  kind: 'time';
  /** Milliseconds since the epoch. */
  at: number;
}

/** Resumes on a request to `$execution.resumeUrl`. The execution is `waiting`. */
export interface RequestSuspension {
  /** `call`, also below, and `answer`: stored names of a request and its response. */
  kind: 'call';
  call: ExpectedRequest;
  /**
   * Timeout, in milliseconds since the epoch, at which it resumes without a request; absent: no
   * timeout.
   */
  at?: number;
}

/** Resumes after other workflows have run, one after the other. The execution remains `running`. */
export interface WorkflowSuspension {
  kind: 'workflows';
  runs: readonly WorkflowRun[];
  /** Whether runs after a failed one are skipped. */
  stopAtFailure: boolean;
  /** Data that the node gets back with the results. */
  kept?: JsonValue;
}

/** The requests that resume an execution, and their response. */
export interface ExpectedRequest {
  /** Upper case. */
  method: string;
  /** Last part of the path, after the token. */
  suffix?: string;
  /** The request must match a credential of this type. */
  authentication?: RequestAuthentication;
  /** Addresses and networks that requests may come from; absent: all. */
  allowedAddresses?: readonly string[];
  /** Whether requests from link previewers and crawlers are ignored. */
  ignoresBots?: boolean;
  /**
   * The request is a submission of this form, at `$execution.resumeFormUrl`, and its values have
   * been validated; absent: any request.
   */
  form?: ResumeForm;
  /** How files are handled; absent: requests may have none. */
  files?: WebhookFiles;
  /** The immediate response. */
  response: { status: number; body?: string; headers: ResponseHeaders; withoutBody?: boolean };
  /**
   * Replaces `response`: the request waits for the response of the workflow, from its last node or
   * from one of its nodes.
   */
  answer?: WebhookResponseSpec;
}

/** A request that resumed an execution. */
export interface ResumeRequest {
  /** Excludes the request's secret. */
  headers: JsonObject;
  params: JsonObject;
  query: JsonObject;
  /**
   * Parsed JSON or form fields; `{}` without a body. For a form: the values by field name, and
   * `submittedAt`.
   */
  body: JsonValue;
  /** Files of the request. */
  binary?: Record<string, BinaryReference>;
  /** Payload of the request's token. */
  jwtPayload?: JsonObject;
  /** Identifies the form page that was submitted: a page is only accepted once. */
  key?: string;
}

/**
 * Event that resumes a suspended node run. `time`: also for a `call` that did not arrive in time.
 */
export type ResumeEvent =
  | { kind: 'time' }
  | { kind: 'call'; request: ResumeRequest }
  | { kind: 'workflows'; results: readonly WorkflowRunResult[]; kept?: JsonValue };

/** A workflow that another one may call. */
export interface CallableWorkflow {
  readonly id: string;
  readonly name: string;
  /** The graph that will run. */
  readonly graphHash: string;
  /** Whether the result contains all runs of the last node instead of its last run only. */
  readonly returnsAllRuns: boolean;
}

/** A workflow with its input items. */
export interface WorkflowRun {
  workflow: CallableWorkflow;
  items: readonly Item[];
  /**
   * The trigger that outputs the items, and the last node of the run. Default: the trigger for
   * calls, and the whole workflow.
   */
  start?: { node: string; destinationNode?: string | undefined };
}

/** Result of a called workflow. `items`: output of its last node. */
export type WorkflowRunResult =
  | { executionId: ExecutionId; status: 'success'; items: Item[] }
  | { executionId: ExecutionId; status: 'failed'; error: ErrorRecord }
  /** An earlier run failed. */
  | { executionId: ExecutionId; status: 'skipped' };

/** A suspended node run: together with an event, a later walk continues from it. */
export interface SuspendedRun {
  nodeName: string;
  runIndex: number;
  /** Milliseconds since the epoch at which the node run started. */
  startTime: number;
  /** The node's try that continues, from 1. */
  tryNumber: number;
  /**
   * Calls of sub-nodes wait for the workflows, in the order of the runs: the node runs again, and
   * its finished uses are replayed. Absent: the node itself waits.
   */
  calls?: readonly string[];
  /**
   * Uses in progress, which count toward the limits of AI nodes and start again when the node does.
   */
  counted?: Pick<AiCounts, 'modelCalls' | 'toolCalls'>;
}

/**
 * Items for the trigger at which a run starts: the trigger with a name, or the first trigger of a
 * kind. `output`: the trigger is not executed and outputs the items there. `streams`: the caller
 * reads the response in parts during the run. `awaitsLast`: the caller waits for the output of the
 * last node.
 */
export type TriggerStart = (
  | { node: string; output?: number; streams?: boolean; awaitsLast?: boolean }
  | { type: 'execute-workflow-trigger' | 'error-trigger' }
) & {
  items: Item[];
};

/** Usage of AI nodes: calls, tokens, and cost in USD. */
export interface AiCounts {
  modelCalls: number;
  toolCalls: number;
  tokens: number;
  cost: number;
}
