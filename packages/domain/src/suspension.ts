import type { ResumeForm } from './form.ts';
import type { ExecutionId } from './ids.ts';
import type { BinaryReference, Item } from './item.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { ErrorRecord } from './node-run.ts';
import type { AnswerHeaders, CallAuthentication, WebhookFiles, WebhookResponse } from './webhook.ts';

/**
 * What a node run waits for when it ends for now (`ExecuteContext.suspend`). Until it comes, the execution holds no worker; then
 * the same node run goes on in `NodeType.resume`.
 */
export type Suspension = TimeSuspension | CallSuspension | WorkflowSuspension;

/** Goes on at an instant. The execution is `waiting`. */
export interface TimeSuspension {
  kind: 'time';
  /** Milliseconds since the epoch. */
  at: number;
}

/** Goes on when somebody calls `$execution.resumeUrl`. The execution is `waiting`. */
export interface CallSuspension {
  kind: 'call';
  call: ResumeCall;
  /** Goes on without a call then, in milliseconds since the epoch; absent: never. */
  at?: number;
}

/** Goes on when other workflows have run, one after the other. The execution stays `running`. */
export interface WorkflowSuspension {
  kind: 'workflows';
  runs: readonly WorkflowRun[];
  /** Whether the runs after one that fails are left out. */
  stopAtFailure: boolean;
}

/** Which calls resume an execution, and what they are answered. */
export interface ResumeCall {
  /** Upper case. */
  method: string;
  /** What the path ends with, after the token. */
  suffix?: string;
  /** A credential of this type must be matched by the call. */
  authentication?: CallAuthentication;
  /** Addresses and networks that calls may come from; absent: all. */
  allowedAddresses?: readonly string[];
  /** Calls of programs that look at links (previews, crawlers) do not count. */
  ignoresBots?: boolean;
  /** The call comes from this form, at `$execution.resumeFormUrl`, and what it brings has been checked against it; absent: any call does. */
  form?: ResumeForm;
  /** What becomes of files; absent: calls may bring none. */
  files?: WebhookFiles;
  /** What the call is answered at once. */
  response: { status: number; body?: string; headers: AnswerHeaders; withoutBody?: boolean };
  /** In place of that: the call stays on the line for what the workflow answers, by its last node or by one of its nodes. */
  answer?: WebhookResponse;
}

/** A call that resumed an execution. */
export interface ReceivedCall {
  /** Without the secret that the call has brought. */
  headers: JsonObject;
  params: JsonObject;
  query: JsonObject;
  /** Parsed JSON or form fields; `{}` without a body. Of a form: the values by the names of its fields, and `submittedAt`. */
  body: JsonValue;
  /** Files that it has brought. */
  binary?: Record<string, BinaryReference>;
  /** What the token says that the call had to bring. */
  jwtPayload?: JsonObject;
  /** Which of the pages that were shown the form was sent from: the same page counts once. */
  key?: string;
}

/** What a suspended node run is resumed with. `time`: also a `call` that did not come in time. */
export type ResumeEvent =
  | { kind: 'time' }
  | { kind: 'call'; request: ReceivedCall }
  | { kind: 'workflows'; results: readonly WorkflowRunResult[] };

/** A workflow that this one may call. */
export interface CallableWorkflow {
  readonly id: string;
  readonly name: string;
  /** What will run. */
  readonly graphHash: string;
  /** Whether the result is made of all runs of the last node, not of the last one alone. */
  readonly returnsAllRuns: boolean;
}

/** A workflow and the items that it is called with. */
export interface WorkflowRun {
  workflow: CallableWorkflow;
  items: readonly Item[];
}

/** How a called workflow ended. `items`: what its last node gave. */
export type WorkflowRunResult =
  | { executionId: ExecutionId; status: 'success'; items: Item[] }
  | { executionId: ExecutionId; status: 'failed'; error: ErrorRecord }
  /** The runs before it failed. */
  | { executionId: ExecutionId; status: 'skipped' };

/** A node run that ended for now: with it and an event, a later walk goes on where this one has ended. */
export interface SuspendedRun {
  nodeName: string;
  runIndex: number;
  /** Milliseconds since the epoch: when the node run began. */
  startTime: number;
  /** Which of the node's tries it is that goes on, from 1. */
  tryNumber: number;
}

/**
 * Items for a trigger, which a run begins at: the one of a name, or the first of a kind. `output`: the trigger is not executed, and gives
 * them there. `streams`: whoever has called takes the answer in parts, while the run goes on. `awaitsLast`: whoever has called waits for what the last
 * node gives.
 */
export type TriggerStart = (
  | { node: string; output?: number; streams?: boolean; awaitsLast?: boolean }
  | { type: 'execute-workflow-trigger' | 'error-trigger' }
) & {
  items: Item[];
};
