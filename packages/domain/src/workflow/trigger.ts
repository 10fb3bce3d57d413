import type { FormTrigger } from './form.ts';
import type { WebhookTrigger } from './webhook.ts';

/**
 * When a schedule is due, by the clock of its time zone. `count` is at least 1. Seconds and minutes
 * are aligned to the clock: every 15 minutes means :00, :15, :30, and :45. Longer steps with
 * `count` above 1 are counted from the first due time after the schedule started.
 */
export type ScheduleRule =
  | { every: 'seconds'; count: number }
  | { every: 'minutes'; count: number }
  | { every: 'hours'; count: number; minute: number }
  | ({ every: 'days'; count: number } & TimeOfDay)
  /** `weekdays`: 0 is Sunday; weeks start on Monday. */
  | ({ every: 'weeks'; count: number; weekdays: readonly number[] } & TimeOfDay)
  /** `day`: 1 to 31; in a shorter month, its last day. */
  | ({ every: 'months'; count: number; day: number } & TimeOfDay)
  /** Five fields, or six with seconds first, or seven with years last. */
  | { cron: string };

export interface TimeOfDay {
  hour: number;
  minute: number;
}

/** Handling of missed ticks: `once` makes up for all of them with one execution. */
export const misfirePolicies = ['skip', 'once'] as const;
export type MisfirePolicy = (typeof misfirePolicies)[number];

/**
 * Handling of a tick before the previous execution has ended: `queue` delays the tick until then.
 */
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

/** Polls at the scheduled times for new data. */
export interface PollTrigger {
  kind: 'poll';
  rules: readonly ScheduleRule[];
  /** IANA zone; absent: the instance's. */
  timezone?: string;
  /**
   * Fingerprint of the node's type, parameters, and credentials, to which its cursor belongs. If it
   * changes, the cursor is deleted.
   */
  fingerprint: string;
}

/** Receives new data over a connection that one worker holds. */
export interface ListenTrigger {
  kind: 'listen';
  /** Like a poll's fingerprint; if it changes, the listener restarts. */
  fingerprint: string;
}

/** Workflow events: `activate`: it becomes active; `update`: another version becomes active. */
export const workflowEvents = ['activate', 'update'] as const;
export type WorkflowEvent = (typeof workflowEvents)[number];

/** Starts on events of the workflow itself, within the activation. */
export interface WorkflowTrigger {
  kind: 'workflow';
  /** At least one. */
  events: readonly WorkflowEvent[];
}

/** A trigger of an active workflow, which starts executions at one of its nodes. Stored as JSON. */
export type TriggerSpec = ScheduleTrigger | WebhookTrigger | FormTrigger | PollTrigger | ListenTrigger | WorkflowTrigger;

/** Why a tick started no execution. */
export type SkipReason = 'missed' | 'overlap' | 'queueFull';
