import { type Effect, eventKey } from './effects.ts';
import type { Ledger } from './ledger.ts';
import type { StoredExecution } from './stored.ts';
import type { Kind } from './workflows.ts';

/** Maximum delay of an effect after the stop of an execution whose worker was frozen. */
const lateEffectMs = 20_000;

/** The data that the audit compares. */
interface Evidence {
  ledger: Ledger;
  /** Executions by ID, once all have ended or timed out. */
  stored: ReadonlyMap<string, StoredExecution>;
  effects: readonly Effect[];
  /** Received events, as in `eventKey`. */
  events: ReadonlySet<string>;
  /** Workflow ID → its kind. */
  kindOf: ReadonlyMap<string, Pick<Kind, 'name' | 'ends' | 'effects'>>;
  /** Events in the inputs of executions that webhooks started, one per execution. */
  webhookEvents: readonly string[];
}

/** Kind of finding → executions with it. */
export type Findings = Record<
  | 'lost'
  | 'stuck'
  | 'duplicated'
  | 'missing effects'
  | 'missing events'
  | 'continued after stop'
  | 'failed without cause'
  | 'changed terminal states',
  string[]
>;

export function audit(evidence: Evidence): Findings {
  return {
    lost: lost(evidence),
    stuck: [...evidence.stored.values()].filter(({ stoppedAt }) => stoppedAt === null).map(describe),
    duplicated: [
      ...duplicateStarts(evidence),
      ...duplicateEffects(evidence),
      ...duplicateRuns(evidence),
      ...repeatedByRetry(evidence),
    ],
    'missing effects': missingEffects(evidence),
    'missing events': missingEvents(evidence),
    'continued after stop': continued(evidence),
    'failed without cause': failed(evidence),
    'changed terminal states': changed(evidence),
  };
}

const describe = ({ id, status, mode, error }: StoredExecution) => `${id} (${mode}) is ${status}${error ? `: ${error}` : ''}`;

function lost({ ledger, stored, webhookEvents }: Evidence): string[] {
  const started = new Set(webhookEvents);
  return [
    ...[...ledger.accepted.values()].filter(({ id }) => !stored.has(id)).map(({ id, kind }) => `${id} (${kind}) has no row`),
    ...[...ledger.webhookEvents].filter((event) => !started.has(event)).map((event) => `event ${event} has no execution`),
  ];
}

/** Executions that no client started. A start without a response may have created one. */
function duplicateStarts({ ledger, stored, kindOf, webhookEvents }: Evidence): string[] {
  const byClient = [...stored.values()].filter(({ mode }) => mode === 'manual' || mode === 'retry');
  const unknown = byClient.filter(({ id }) => !ledger.accepted.has(id));
  const excess = unknown.length > ledger.unanswered ? unknown : [];
  const children = repeated([...stored.values()].flatMap(({ parentId }) => parentId ?? []));
  return [
    ...excess.map(({ id, workflowId }) => `${id} (${kindOf.get(workflowId)?.name}) was not started by a client`),
    ...children.map((id) => `${id} has several children`),
    ...repeated(webhookEvents).map((event) => `event ${event} has several executions`),
  ];
}

const effectKey = ({ executionId, node, runIndex }: Effect) => `${executionId}: effect of ${node}, run ${runIndex}`;

function duplicateEffects({ effects }: Evidence): string[] {
  return repeated(effects.map(effectKey)).map((key) => `${key}, twice`);
}

function duplicateRuns({ stored }: Evidence): string[] {
  return [...stored.values()].flatMap(({ id, runs }) =>
    Object.entries(runs).flatMap(([node, indexes]) =>
      repeated(indexes).map((run) => `${id}: ${node}, run ${run}, recorded twice`),
    ),
  );
}

/** A node whose run is recorded does not run again in a retry. */
function repeatedByRetry({ stored, effects }: Evidence): string[] {
  return effects
    .filter(({ executionId, node, runIndex }) => {
      const original = stored.get(stored.get(executionId)?.retryOf ?? '');
      return original?.runs[node]?.includes(runIndex);
    })
    .map((effect) => `${effectKey(effect)}, although the original had recorded it`);
}

function missingEffects({ stored, effects, kindOf }: Evidence): string[] {
  const seen = new Set(effects.map(effectKey));
  const isSeen = (execution: StoredExecution | undefined, node: string, runIndex: number): boolean =>
    execution !== undefined &&
    (seen.has(effectKey({ executionId: execution.id, node, runIndex, at: 0 })) ||
      isSeen(stored.get(execution.retryOf ?? ''), node, runIndex));
  return [...stored.values()].flatMap((execution) => {
    const expected = kindOf.get(execution.workflowId)?.effects ?? {};
    const recorded = Object.entries(execution.runs).filter(([node]) => node in expected);
    const complete =
      execution.status === 'success'
        ? Object.entries(expected).map(([node, runs]) => [node, [...Array(runs).keys()]] as const)
        : [];
    return [...recorded, ...complete]
      .flatMap(([node, indexes]) => indexes.map((runIndex) => ({ node, runIndex })))
      .filter(({ node, runIndex }) => !isSeen(execution, node, runIndex))
      .map(({ node, runIndex }) => `${execution.id} (${execution.status}): no effect of ${node}, run ${runIndex}`);
  });
}

/** Event about the end of an execution, by its status. */
export const eventOfStatus: Readonly<Record<string, string>> = {
  success: 'execution.finished',
  error: 'execution.failed',
  crashed: 'execution.crashed',
  canceled: 'execution.canceled',
};

function missingEvents({ stored, events }: Evidence): string[] {
  return [...stored.values()]
    .filter(({ id, status }) => eventOfStatus[status] !== undefined && !events.has(eventKey(eventOfStatus[status], id)))
    .map((execution) => `${describe(execution)}: its event was not delivered`);
}

/**
 * After a stop, only the node in flight may have an effect: the next node needs the record of its
 * run. Effects of nodes that must never run count too.
 */
function continued({ ledger, stored, effects, kindOf }: Evidence): string[] {
  const byExecution = Map.groupBy(effects, ({ executionId }) => executionId);
  const restarted = [...ledger.stopped].filter((id) => stored.get(id)?.status !== 'canceled');
  const acting = [...stored.values()]
    .filter(({ status }) => status === 'canceled')
    .filter(({ id, startedAt, stoppedAt }) => {
      const endedAt = stoppedAt?.getTime() ?? 0;
      const later = (byExecution.get(id) ?? []).filter(({ at }) => at > endedAt);
      return later.length > (startedAt ? 1 : 0) || later.some(({ at }) => at > endedAt + lateEffectMs);
    });
  const forbidden = effects.filter(({ node, executionId }) => {
    const kind = kindOf.get(stored.get(executionId)?.workflowId ?? '');
    return kind && !(node in kind.effects);
  });
  return [
    ...restarted.map((id) => `${id} was stopped but is ${stored.get(id)?.status}`),
    ...acting.map(({ id, stoppedAt }) => `${id} acted after its stop at ${stoppedAt?.toISOString()}`),
    ...forbidden.map((effect) => `${effectKey(effect)}, after a node that fails`),
  ];
}

/**
 * Only a lost worker (`crashed`) and a stop may change how an execution, and with it its parent,
 * ends.
 */
function failed({ stored, kindOf }: Evidence): string[] {
  const children = Map.groupBy(stored.values(), ({ parentId }) => parentId);
  return [...stored.values()]
    .filter(({ id, status, workflowId }) => {
      if (status !== 'success' && status !== 'error') return false;
      const hasFailedChild = (children.get(id) ?? []).some((child) => child.status !== 'success');
      return status !== kindOf.get(workflowId)?.ends && !hasFailedChild;
    })
    .map(describe);
}

function changed({ ledger, stored }: Evidence): string[] {
  const different = [...ledger.endings].filter(([id, ending]) => {
    const row = stored.get(id);
    return row && (row.status !== ending.status || row.stoppedAt?.toISOString() !== new Date(ending.stoppedAt).toISOString());
  });
  return [
    ...ledger.changedEndings,
    ...different.map(([id, { status }]) => `${id} was ${status} but is ${stored.get(id)?.status}`),
  ];
}

/** The values that occur more than once, without duplicates. */
function repeated<T>(values: readonly T[]): T[] {
  const seen = new Set<T>();
  return [...new Set(values.filter((value) => seen.size === seen.add(value).size))];
}
