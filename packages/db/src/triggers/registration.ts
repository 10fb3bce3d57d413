import type { JsonObject, WorkflowId, WorkflowNode } from '@sluice/domain';

/** All it takes to end a registration also once the workflow is gone. */
export interface RegistrationSubject {
  workflow: { id: WorkflowId; name: string };
  /** Its parameters are those that were resolved at the activation. */
  node: WorkflowNode;
  /** Name of a webhook of the node → its address. */
  urls: Record<string, string>;
  /** The addresses, as routes of calls. */
  routes: { method: string; path: string; webhookName: string }[];
  timezone: string;
}

/** Something that a node is to have at a remote service. */
export interface PlannedRegistration {
  nodeName: string;
  /** `webhook:<name>`, or `hooks`. */
  name: string;
  subject: RegistrationSubject;
}

export interface Registration extends PlannedRegistration {
  id: string;
  /** Whose it was when it was wanted last: what it is about to be for another one stands in `begun`. */
  workflowId: WorkflowId;
  /** Where the workflow is now, or was in the end. */
  projectId: string;
  /** What the node keeps for it. */
  data: JsonObject;
  wanted: boolean;
  /** What an activation that has not come to its end was about to make in place of `subject`: it may be there as well. */
  begun: RegistrationSubject | null;
  /** Whether another one that is wanted is the same to the service as `subject`, or as `begun`: its end would end that one, too. */
  isLive: boolean;
  isBegunLive: boolean;
}

/** One that an activation has begun to bring about. */
export interface HeldRegistration extends Registration {
  /** Nothing was there before. */
  fresh: boolean;
}

/** A registration as users see it. */
export interface ShownRegistration {
  nodeName: string;
  name: string;
  /** `pending`: it is to be made again; `ending`: it is to be ended. */
  state: 'registered' | 'pending' | 'ending';
  failures: number;
  lastError: string | null;
  retryAt: Date | null;
}

/** As it is read, with where its workflow is now. */
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
  is_begun_live: boolean;
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
    begun: row.begun as unknown as RegistrationSubject | null,
    isLive: row.is_live,
    isBegunLive: row.is_begun_live,
  };
}
