import type { WorkflowId } from '../ids.ts';
import type { WorkflowSettings } from './workflow.ts';

export const callerPolicies = ['any', 'none', 'workflowsFromSameOwner', 'workflowsFromAList'] as const;
export type CallerPolicy = (typeof callerPolicies)[number];

export interface CallQuestion {
  callerId: WorkflowId;
  targetId: WorkflowId;
  /** Whether both workflows are in the same project. */
  sameProject: boolean;
  /** Current settings of the called workflow. */
  settings: WorkflowSettings | undefined;
}

/**
 * Whether one workflow may call another, by the settings of the called one: `callerPolicy`, and for
 * `workflowsFromAList` the ids in `callerIds`, separated by commas. Default: workflows of its
 * project may call it. A workflow may always call itself.
 */
export function mayCall({ callerId, targetId, sameProject, settings = {} }: CallQuestion): boolean {
  if (callerId === targetId) return true;
  switch (policyOf(settings)) {
    case 'any':
      return true;
    case 'none':
      return false;
    case 'workflowsFromAList':
      return idsIn(settings.callerIds).includes(callerId);
    case 'workflowsFromSameOwner':
      return sameProject;
  }
}

function policyOf({ callerPolicy }: WorkflowSettings): CallerPolicy {
  return callerPolicies.find((policy) => policy === callerPolicy) ?? 'workflowsFromSameOwner';
}

function idsIn(value: unknown): string[] {
  return typeof value === 'string' ? value.split(',').map((id) => id.trim()) : [];
}

/** The error workflow in the settings, if any. */
export function errorWorkflowOf(settings: WorkflowSettings | undefined): WorkflowId | undefined {
  const id = settings?.errorWorkflow;
  return typeof id === 'string' && id !== '' && id !== 'DEFAULT' ? id : undefined;
}
