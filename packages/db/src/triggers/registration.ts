import type { JsonObject, WorkflowId, WorkflowNode } from '@sluice/domain';

/** All data needed to remove a registration, even after its workflow was deleted. */
export interface RegistrationSubject {
  workflow: { id: WorkflowId; name: string };
  /** The node, with its parameters as resolved at the activation. */
  node: WorkflowNode;
  /** Name of a webhook of the node → its URL. */
  urls: Record<string, string>;
  /** The URLs as request routes. */
  routes: { method: string; path: string; webhookName: string }[];
  timezone: string;
}

/** A registration that a node should have at a remote service. */
export interface PlannedRegistration {
  nodeName: string;
  /** `webhook:<name>`, or `hooks`. */
  name: string;
  subject: RegistrationSubject;
}

export interface Registration extends PlannedRegistration {
  id: string;
  /**
   * Its last workflow. If another workflow is adopting it, `replacement` has that workflow's
   * subject.
   */
  workflowId: WorkflowId;
  /** Current project of the workflow, or the last one. */
  projectId: string;
  /** The node's data for it. */
  data: JsonObject;
  wanted: boolean;
  /** The replacement of `subject` in an unfinished activation; it may be registered as well. */
  replacement: RegistrationSubject | null;
  /**
   * Whether another wanted registration is identical to `subject` or `replacement` for the service:
   * removing either would remove both.
   */
  isLive: boolean;
  isReplacementLive: boolean;
}

/** A registration leased to an activation. */
export interface LeasedRegistration extends Registration {
  /** Nothing was registered before. */
  fresh: boolean;
  /** A worker had to apply its wanted state. */
  wasDue: boolean;
}

/** A registration as shown to users. */
export interface ShownRegistration {
  nodeName: string;
  name: string;
  /** `pending`: to be registered again; `ending`: to be removed. */
  state: 'registered' | 'pending' | 'ending';
  failures: number;
  lastError: string | null;
  retryAt: Date | null;
}

/** A row with the current project of its workflow. */
export interface RegistrationRow {
  id: string;
  workflow_id: string;
  project_id: string;
  current_project_id: string | null;
  node_name: string;
  name: string;
  subject: JsonObject;
  data: JsonObject;
  wanted: boolean;
  begun: JsonObject | null;
  held_by: string | null;
  failures: number;
  is_live: boolean;
  is_replacement_live: boolean;
}

export function toRegistration(row: RegistrationRow): Registration {
  return {
    id: row.id,
    workflowId: row.workflow_id,
    projectId: row.current_project_id ?? row.project_id,
    nodeName: row.node_name,
    name: row.name,
    subject: row.subject as unknown as RegistrationSubject,
    data: row.data,
    wanted: row.wanted,
    replacement: row.begun as unknown as RegistrationSubject | null,
    isLive: row.is_live,
    isReplacementLive: row.is_replacement_live,
  };
}
