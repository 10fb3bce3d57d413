import type { FormTrigger } from './form.ts';
import type { WebhookTrigger } from './webhook.ts';

/**
 * When a schedule is due, by the clock of its time zone. `count` is 1 or more. Seconds and minutes lie on the clock: every 15 minutes means :00, :15, :30
 * and :45. Longer steps of more than one are counted from the first one after the schedule began.
 */
export type ScheduleRule =
  | { every: 'seconds'; count: number }
  | { every: 'minutes'; count: number }
  | { every: 'hours'; count: number; minute: number }
  | ({ every: 'days'; count: number } & TimeOfDay)
  /** `weekdays`: 0 is Sunday; a week begins on Monday. */
  | ({ every: 'weeks'; count: number; weekdays: readonly number[] } & TimeOfDay)
  /** `day`: 1 to 31; a shorter month means its last day. */
  | ({ every: 'months'; count: number; day: number } & TimeOfDay)
  /** Five fields, or six with seconds first, or seven with years last. */
  | { cron: string };

export interface TimeOfDay {
  hour: number;
  minute: number;
}

/** What becomes of a tick that nobody was there for: `once` makes up for all that were missed with one execution. */
export const misfirePolicies = ['skip', 'once'] as const;
export type MisfirePolicy = (typeof misfirePolicies)[number];

/** What becomes of a tick while the execution of the one before has not ended: `queue` holds it until then. */
export const overlapPolicies = ['allow', 'skip', 'queue'] as const;
export type OverlapPolicy = (typeof overlapPolicies)[number];

/** Starts an execution at each tick. */
export interface ScheduleTrigger {
  kind: 'schedule';
  rules: readonly ScheduleRule[];
  /** IANA zone; absent: the instance's. */
  timezone?: string;
  misfire: MisfirePolicy;
  /** Milliseconds that a tick may be late without counting as missed. */
  graceMs: number;
  overlap: OverlapPolicy;
}

/** Asks, as often as the rules say, what is new. */
export interface PollTrigger {
  kind: 'poll';
  rules: readonly ScheduleRule[];
  /** IANA zone; absent: the instance's. */
  timezone?: string;
  /** Of what the node's cursor belongs to: its type, parameters and credentials. Another one: the cursor is forgotten. */
  fingerprint: string;
}

/** Is told what is new, by a connection that one worker holds. */
export interface ListenTrigger {
  kind: 'listen';
  /** As that of a poll; another one: the listener starts anew. */
  fingerprint: string;
}

/** What happens to a workflow: `activate`, it becomes active; `update`, while it is active, another version of it becomes the active one. */
export const workflowEvents = ['activate', 'update'] as const;
export type WorkflowEvent = (typeof workflowEvents)[number];

/** Is told, by the activation that does it, what happens to the workflow itself. */
export interface WorkflowTrigger {
  kind: 'workflow';
  /** One at least. */
  events: readonly WorkflowEvent[];
}

/** What makes an active workflow start at one of its nodes. JSON, stored as it is. */
export type TriggerSpec = ScheduleTrigger | WebhookTrigger | FormTrigger | PollTrigger | ListenTrigger | WorkflowTrigger;

/** Why a tick started nothing. */
export type SkipReason = 'missed' | 'overlap' | 'queueFull';
