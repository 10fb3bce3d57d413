import {
  isAppError,
  type JsonObject,
  type JsonValue,
  messageOfNode,
  messageWithHint,
  TimeSlice,
  type TriggerSpec,
  ValidationError,
  type ValidationIssue,
  type WorkflowGraph,
  type WorkflowNode,
} from '@sluice/domain';
import type { EvaluationScope } from '@sluice/sandbox';
import { implementationOf, PreparedNode } from '../graph/prepared-graph.ts';
import type { EnginePorts } from '../ports.ts';
import { excessNodes, RuleCount } from './activation-limits.ts';
import { describedScope, describedWebhooks } from './described-webhooks.ts';
import { sourceSpecs } from './source-specs.ts';

/** A graph to activate. */
export interface TriggerRequest {
  /** `active` is visible to expressions. Default: true, because activation is about to happen. */
  workflow: { id: string; projectId: string; active?: boolean };
  graph: WorkflowGraph;
  timezone: string;
  vars: EvaluationScope['vars'];
  env: EvaluationScope['env'];
}

/** A source that starts executions of an active workflow. */
export interface NodeTrigger {
  /** Node where executions start. */
  nodeName: string;
  spec: TriggerSpec;
}

/**
 * Lists the triggers of a graph, node by node. Skips disabled nodes and nodes whose type is unknown
 * or has no trigger. Throws `ValidationError` with an issue for each node that fails or exceeds the
 * limit of its type, and for the node whose schedule rules exceed the workflow's limit.
 */
export async function listTriggers(
  ports: Pick<EnginePorts, 'nodeTypes' | 'sandbox' | 'now'>,
  request: TriggerRequest,
  signal: AbortSignal,
): Promise<NodeTrigger[]> {
  const triggers: NodeTrigger[] = [];
  const issues: ValidationIssue[] = excessNodes(request.graph, ports.nodeTypes);
  const scopeOf = scopesOf(request, ports);
  const rules = new RuleCount();
  const slice = new TimeSlice();
  for (const [index, node] of request.graph.nodes.entries()) {
    const prepared = new PreparedNode(node, ports.nodeTypes.find(node.type), ports.sandbox);
    if (node.disabled || !listens(prepared)) continue;
    if (slice.isOver) await slice.next();
    try {
      const specs = await specsOf(prepared, scopeOf(prepared), { ports, request, signal });
      rules.add(specs);
      triggers.push(...specs.map((spec) => ({ nodeName: node.name, spec })));
    } catch (error) {
      if (signal.aborted || !isAppError(error) || error.kind === 'defect') throw error;
      issues.push({ path: `/nodes/${index}/parameters`, message: messageOfNode(node.name, messageWithHint(error)) });
    }
  }
  if (issues.length > 0) throw new ValidationError('the workflow cannot be activated', issues);
  return triggers;
}

interface Asking {
  ports: Pick<EnginePorts, 'sandbox'>;
  request: TriggerRequest;
  signal: AbortSignal;
}

async function specsOf(
  node: PreparedNode,
  scope: EvaluationScope,
  { ports, request, signal }: Asking,
): Promise<readonly TriggerSpec[]> {
  const { type, typeVersion } = implementationOf(node);
  const { graph, workflow } = request;
  const { compiled } = node;
  const resolved = await ports.sandbox.resolve(compiled, { ...scope, compiledParameters: compiled }, signal);
  const described = await describedWebhooks({
    type,
    node: node.node,
    workflowId: workflow.id,
    async resolve(text) {
      if (!text.startsWith('=')) return text;
      const seen = describedScope(scope, type, resolved.get('', 0) as JsonObject);
      return (await ports.sandbox.resolve(node.compiledText(text), seen, signal)).get('text', 0);
    },
  });
  const specs = type.triggers?.({
    node: node.node,
    typeVersion,
    workflow: { id: workflow.id, name: graph.name, settings: graph.settings ?? {} },
    parameter: <T extends JsonValue>(path: string, itemIndex: number, fallback?: T) =>
      (resolved.get(path, itemIndex) ?? fallback) as T,
  });
  const source = { type, node: node.node, typeVersion, settings: graph.settings, pollTimes: resolved.get('pollTimes', 0) };
  return [...(specs ?? []), ...described, ...sourceSpecs(source)];
}

function listens({ type }: PreparedNode): boolean {
  if (type?.poll || type?.trigger) return true;
  return type?.triggers !== undefined || type?.description.webhooks !== undefined;
}

/**
 * Returns the scope for expressions of a node while nothing has run: one empty item, as at the
 * start of any trigger.
 */
export function scopesOf(
  { graph, workflow, timezone, vars, env }: TriggerRequest,
  { nodeTypes, sandbox, now }: Pick<EnginePorts, 'nodeTypes' | 'sandbox' | 'now'>,
): (node: PreparedNode) => EvaluationScope {
  const byName = new Map<string, WorkflowNode>(graph.nodes.map((node) => [node.name, node]));
  const shared = {
    items: [{ json: {} }],
    runIndex: 0,
    previousNode: undefined,
    workflow: { ...workflow, name: graph.name, active: workflow.active ?? true, timezone },
    execution: { id: '', mode: 'trigger' },
    vars,
    env,
    runsOf: (name: string) => (byName.has(name) ? [] : undefined),
    outputOf: () => 0,
    contextOf: () => undefined,
    parametersOf: (name: string) => {
      const other = byName.get(name);
      return other && new PreparedNode(other, nodeTypes.find(other.type), sandbox).shownParameters;
    },
    pairedItem: (name: string) => ({ error: `node "${name}" has not run` }),
  } as const;
  return ({ node, typeVersion, shownParameters }) => ({
    ...shared,
    node: { name: node.name, parameters: shownParameters, typeVersion },
    nowMs: now(),
  });
}
