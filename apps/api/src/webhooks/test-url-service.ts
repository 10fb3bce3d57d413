import type { OpenTestUrlsBody, TestUrlsView } from '@sluice/contract';
import {
  encodeGraph,
  type GraphRepository,
  noteForAudit,
  type TestUrls,
  type WorkflowHead,
  type WorkflowRepository,
  type WorkflowVersionRepository,
} from '@sluice/db';
import { ValidationError, type WorkflowGraph, type WorkflowId } from '@sluice/domain';
import type { Caller } from '../auth/caller.ts';
import { givenGraph } from '../executions/given-graph.ts';
import type { TriggerPlanner } from '../triggers/trigger-planner.ts';
import { assertWorkflowId } from '../workflows/assert-workflow-id.ts';

export interface TestUrlServiceOptions {
  testUrls: TestUrls;
  workflows: Pick<WorkflowRepository, 'getHead'>;
  versions: Pick<WorkflowVersionRepository, 'get'>;
  graphs: Pick<GraphRepository, 'store'>;
  planner: Pick<TriggerPlanner, 'plan'>;
  maxNodes: number;
  /** As callers reach the API; null: nobody knows. */
  publicUrl: string | null;
}

/** Kind of trigger → what its test URLs begin with. */
const prefixes = { webhook: '/webhook-test/', form: '/form-test/' } as const;

/** Opens the addresses at which a workflow, active or not, is tried out by calling it. */
export class TestUrlService {
  readonly #options: TestUrlServiceOptions;

  constructor(options: TestUrlServiceOptions) {
    this.#options = options;
  }

  /**
   * For the newest version, or the graph that the request brings. Throws `ValidationError` where nothing of it is called, or a node cannot say what it
   * listens to, and what `TestUrls.open` throws.
   */
  async open(id: WorkflowId, { workflowData }: OpenTestUrlsBody, caller: Caller): Promise<TestUrlsView> {
    const { testUrls, planner } = this.#options;
    const head = await this.#headOf(id, caller);
    const { graph, graphHash } = workflowData
      ? await this.#store(head, id, workflowData)
      : await this.#newest(head, id, caller);
    const triggers = (await planner.plan(id, { graph })).flatMap(({ nodeName, spec }) =>
      'path' in spec ? [{ nodeName, spec }] : [],
    );
    if (triggers.length === 0) throw new ValidationError('the workflow has no node that is called: it has no test URL');
    await testUrls.open({ workflowId: id, graphHash, userId: caller.userId, triggers });
    return this.#view(id);
  }

  async get(id: WorkflowId, caller: Caller): Promise<TestUrlsView> {
    await this.#headOf(id, caller);
    return this.#view(id);
  }

  async close(id: WorkflowId, caller: Caller): Promise<void> {
    await this.#headOf(id, caller);
    await this.#options.testUrls.close(id);
  }

  async #headOf(id: WorkflowId, caller: Caller): Promise<WorkflowHead> {
    assertWorkflowId(id);
    const head = await this.#options.workflows.getHead(id, caller.access['project:editor']);
    noteForAudit({ objectName: head.name });
    return head;
  }

  async #newest({ versionId, graphHash }: WorkflowHead, id: WorkflowId, caller: Caller): Promise<RunnableGraph> {
    const { graph } = await this.#options.versions.get(id, versionId, caller.access['project:editor']);
    return { graph, graphHash };
  }

  async #store(
    { name, graphHash }: WorkflowHead,
    id: WorkflowId,
    workflowData: NonNullable<OpenTestUrlsBody['workflowData']>,
  ): Promise<RunnableGraph> {
    const { graphs, maxNodes } = this.#options;
    const graph = givenGraph(workflowData, { name, maxNodes });
    const encoded = encodeGraph(graph);
    if (encoded.hash !== graphHash) await graphs.store(id, encoded);
    return { graph, graphHash: encoded.hash };
  }

  async #view(id: WorkflowId): Promise<TestUrlsView> {
    const { testUrls, publicUrl } = this.#options;
    const { open, expiresAt, executionId, routes } = await testUrls.get(id);
    const urls = routes.map(({ nodeName, kind, methods, path }) => ({
      nodeName,
      kind,
      methods: [...methods],
      url: `${publicUrl ?? ''}${prefixes[kind]}${path}`,
    }));
    return { open, expiresAt: expiresAt.toISOString(), executionId, urls };
  }
}

interface RunnableGraph {
  graph: WorkflowGraph;
  graphHash: string;
}
