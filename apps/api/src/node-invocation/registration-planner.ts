import type { NewTrigger, PlannedRegistration, RegistrationSubject, WorkflowHead } from '@sluice/db';
import { isAppError, messageOfNode, ValidationError, type WorkflowGraph, type WorkflowNode } from '@sluice/domain';
import type { OpenedNode } from '@sluice/engine';
import { defaultVersionOf, nodeTypeOfVersion } from '@sluice/node-sdk';
import type { NodeInvoker } from './node-invoker.ts';

/** The version to activate, its triggers, and the user who activates it. */
export interface ActivationPlan {
  workflow: Pick<WorkflowHead, 'id' | 'projectId'>;
  graph: WorkflowGraph;
  triggers: readonly NewTrigger[];
  userId: string;
}

interface RegistrationPlannerOptions {
  nodes: NodeInvoker;
  /** Base URL for services; null if unknown. */
  publicUrl: string | null;
}

/** Timeout of one request to a service, in milliseconds. */
export const timeoutMs = 20_000;

/** Plans the registrations that the nodes of a version need at remote services. */
export class RegistrationPlanner {
  readonly #options: RegistrationPlannerOptions;

  constructor(options: RegistrationPlannerOptions) {
    this.#options = options;
  }

  /** Throws `ValidationError` for invalid parameters. */
  async plan(activation: ActivationPlan): Promise<PlannedRegistration[]> {
    const planned: PlannedRegistration[] = [];
    const { graph, triggers } = activation;
    const triggersOf = Map.groupBy(triggers, ({ nodeName }) => nodeName);
    const { ports, registrationNames } = graph.nodes.length > 0 ? await this.#options.nodes.functions() : noFunctions;
    for (const [index, node] of graph.nodes.entries()) {
      const type = node.disabled ? undefined : ports?.nodeTypes.find(node.type);
      if (!type) continue;
      const version = node.typeVersion ?? defaultVersionOf(type.description);
      const names = registrationNames?.(nodeTypeOfVersion(type, version)) ?? [];
      if (names.length === 0) continue;
      const subject = await this.#subjectOf(node, index, { ...activation, triggers: triggersOf.get(node.name) ?? [] });
      planned.push(...names.map((name) => ({ nodeName: node.name, name, subject })));
    }
    return planned;
  }

  /** `activation`: with the triggers of the node. */
  async #subjectOf(node: WorkflowNode, index: number, activation: ActivationPlan): Promise<RegistrationSubject> {
    const { workflow, graph, triggers } = activation;
    const { nodes, publicUrl } = this.#options;
    const routes = triggers.flatMap(({ spec }) => {
      if (spec.kind !== 'webhook' || !spec.described) return [];
      return [{ method: spec.methods[0] ?? '', path: spec.path, webhookName: spec.described.name }];
    });
    const urls = routes.map(({ webhookName, path }) => [webhookName, `${publicUrl}/webhook/${encodeURI(path)}`] as const);
    try {
      const opened = await this.#open(activation, node);
      return {
        workflow: { id: workflow.id, name: graph.name },
        node: { ...node, parameters: opened.parameters() },
        urls: publicUrl === null ? {} : Object.fromEntries(urls),
        routes,
        timezone: nodes.timezoneOf(graph.settings),
      };
    } catch (error) {
      if (!isAppError(error)) throw error;
      const path = `/nodes/${index}/parameters`;
      throw new ValidationError('the workflow cannot be activated', [
        { path, message: messageOfNode(node.name, error.message) },
      ]);
    }
  }

  #open({ workflow, userId, graph }: ActivationPlan, node: WorkflowNode): Promise<OpenedNode> {
    const { nodes } = this.#options;
    const credentials = nodes.credentialsOfWorkflow(workflow.id, workflow.projectId, userId);
    const signal = AbortSignal.timeout(timeoutMs);
    return nodes.open({
      workflow: { id: workflow.id, projectId: workflow.projectId, active: true },
      graph,
      node,
      credentials,
      signal,
    });
  }
}

const noFunctions = { ports: undefined, registrationNames: undefined };
