import {
  foreignTypesOf,
  type NewTrigger,
  type TriggerRepository,
  type VariableRepository,
  type WorkflowVersion,
} from '@sluice/db';
import { isAppError, knownTimezoneOf, TimeSlice, ValidationError, type ValidationIssue, type WorkflowId } from '@sluice/domain';
import type { NodeTrigger } from '@sluice/engine';
import type { LoadedEngine } from './engine-loader.ts';

interface TriggerPlannerOptions {
  triggers: Pick<TriggerRepository, 'now'>;
  variables: Pick<VariableRepository, 'values'>;
  engine: () => Promise<LoadedEngine>;
  /** Environment variables that expressions may read. */
  env: Readonly<Record<string, string>>;
  /** Time zone of workflows without one. */
  timezone: string;
}

/** `active`: the value that its expressions read. */
interface PlannedWorkflow {
  id: WorkflowId;
  projectId: string;
  active: boolean;
}

/** Timeout for a workflow's nodes to list their triggers, in milliseconds. */
const timeoutMs = 10_000;

/** Plans the triggers of a version. */
export class TriggerPlanner {
  readonly #options: TriggerPlannerOptions;

  constructor(options: TriggerPlannerOptions) {
    this.#options = options;
  }

  /** Throws `ValidationError` with an issue for each node whose triggers cannot be determined. */
  async plan(workflow: PlannedWorkflow, { graph }: Pick<WorkflowVersion, 'graph'>): Promise<NewTrigger[]> {
    const { variables, engine, triggers, env } = this.#options;
    if (graph.nodes.length === 0) return [];
    const { list, nextTick } = await engine();
    const vars = await variables.values();
    const timezone = knownTimezoneOf(graph.settings, this.#options.timezone);
    const { id, projectId, active } = workflow;
    const request = { workflow: { id, projectId, active }, graph, timezone, vars, env };
    const nodeTriggers = await inTime((signal) => list(request, signal));
    if (nodeTriggers.length === 0) return [];
    const now = await triggers.now();
    const issues: ValidationIssue[] = [];
    const indexes = new Map(graph.nodes.map(({ name }, index) => [name, index]));
    const planned: NewTrigger[] = [];
    const slice = new TimeSlice();
    for (const trigger of nodeTriggers) {
      if (slice.isOver) await slice.next();
      const nextAt = await this.#firstOf(trigger, now, nextTick);
      const index = indexes.get(trigger.nodeName) ?? -1;
      const [foreignType] = foreignTypesOf(graph.nodes.slice(index, index + 1)) ?? [];
      if (typeof nextAt === 'string')
        issues.push({ path: `/nodes/${index}/parameters`, message: `node "${trigger.nodeName}": ${nextAt}` });
      else planned.push({ ...trigger, nextAt, since: new Date(now), foreignType, nodeId: graph.nodes[index]?.id });
    }
    if (issues.length > 0) throw new ValidationError('the workflow cannot be activated', issues);
    return planned;
  }

  /** The first time that the trigger is due. A string is the reason why there is no such time. */
  async #firstOf({ spec }: NodeTrigger, now: number, nextTick: LoadedEngine['nextTick']): Promise<Date | string | null> {
    if (spec.kind !== 'schedule' && spec.kind !== 'poll') return null;
    try {
      const first = await nextTick(spec.rules, spec.timezone ?? this.#options.timezone, { since: now, after: now });
      if (first === undefined) return 'the schedule is never due';
      // The first poll records existing data; later polls detect new data by comparison.
      return new Date(spec.kind === 'poll' ? now : first);
    } catch (error) {
      if (isAppError(error) && error.code === 'INVALID_SCHEDULE') return error.message;
      throw error;
    }
  }
}

async function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new ValidationError('the workflow cannot be activated: expressions of its trigger nodes take too long', '/nodes');
  }
}
