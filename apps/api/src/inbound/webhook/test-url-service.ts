import type { OpenTestUrlsBody } from '@sluice/contract';
import {
  encodeGraph,
  type GraphRepository,
  noteForAudit,
  type OpenTestUrls,
  type TestUrlRepository,
  type WorkflowHead,
  type WorkflowRepository,
  type WorkflowVersionRepository,
} from '@sluice/db';
import { ValidationError, type WorkflowGraph, type WorkflowId } from '@sluice/domain';
import type { Caller } from '../../auth/caller.ts';
import { graphOfRequest } from '../../graphs/to-graph.ts';
import type { TriggerPlanner } from '../../triggers/trigger-planner.ts';

interface TestUrlServiceOptions {
  testUrls: TestUrlRepository;
  workflows: Pick<WorkflowRepository, 'getHead'>;
  workflowVersions: Pick<WorkflowVersionRepository, 'get'>;
  graphs: Pick<GraphRepository, 'storeForRun'>;
  planner: Pick<TriggerPlanner, 'plan'>;
  maxNodes: number;
  /** Public URL of the API; null: unknown. */
  publicUrl: string | null;
}

/** Kind of trigger → prefix of its test URLs. */
const prefixes = { webhook: '/webhook-test/', form: '/form-test/' } as const;

/** Test URLs of a workflow, with their full addresses. */
export type AddressedTestUrls = Omit<OpenTestUrls, 'routes'> & {
  urls: (Omit<OpenTestUrls['routes'][number], 'path'> & { url: string })[];
};

/** Opens test URLs, which run a workflow, active or not, with one real request. */
export class TestUrlService {
  readonly #options: TestUrlServiceOptions;

  constructor(options: TestUrlServiceOptions) {
    this.#options = options;
  }

  /**
   * Opens them for the newest version, or for the graph of the request. Throws `ValidationError` if
   * no node accepts requests or the trigger of a node is invalid, and what `TestUrlRepository.open`
   * throws.
   */
  async open(id: WorkflowId, { workflowData }: OpenTestUrlsBody, caller: Caller): Promise<AddressedTestUrls> {
    const { testUrls, planner } = this.#options;
    const head = await this.#headOf(id, caller);
    const { graph, graphHash } = workflowData
      ? await this.#store(head, id, workflowData)
      : await this.#newest(head, id, caller);
    const triggers = (await planner.plan(head, { graph })).flatMap(({ nodeName, spec }) =>
      'path' in spec ? [{ nodeName, spec }] : [],
    );
    if (triggers.length === 0)
      throw new ValidationError('the workflow has no node that accepts requests, so it has no test URL', '/nodes');
    await testUrls.open({ workflowId: id, graphHash, userId: caller.userId, triggers });
    return this.#read(id);
  }

  async get(id: WorkflowId, caller: Caller): Promise<AddressedTestUrls> {
    await this.#headOf(id, caller);
    return this.#read(id);
  }

  async close(id: WorkflowId, caller: Caller): Promise<void> {
    await this.#headOf(id, caller);
    await this.#options.testUrls.close(id);
  }

  async #headOf(id: WorkflowId, caller: Caller): Promise<WorkflowHead> {
    const head = await this.#options.workflows.getHead(id, caller.access['project:editor']);
    noteForAudit({ objectName: head.name });
    return head;
  }

  async #newest({ versionId, graphHash }: WorkflowHead, id: WorkflowId, caller: Caller): Promise<RunnableGraph> {
    const { graph } = await this.#options.workflowVersions.get(id, versionId, caller.access['project:editor']);
    return { graph, graphHash };
  }

  async #store(
    { name, graphHash }: WorkflowHead,
    id: WorkflowId,
    workflowData: NonNullable<OpenTestUrlsBody['workflowData']>,
  ): Promise<RunnableGraph> {
    const { graphs, maxNodes } = this.#options;
    const graph = graphOfRequest(workflowData, { name, maxNodes });
    const encoded = await encodeGraph(graph);
    if (encoded.hash !== graphHash) await graphs.storeForRun(id, encoded);
    return { graph, graphHash: encoded.hash };
  }

  async #read(id: WorkflowId): Promise<AddressedTestUrls> {
    const { testUrls, publicUrl } = this.#options;
    const { routes, ...state } = await testUrls.get(id);
    const urlOf = (kind: keyof typeof prefixes, path: string) => `${publicUrl ?? ''}${prefixes[kind]}${encodeURI(path)}`;
    const urls = routes.map(({ path, ...route }) => ({ ...route, url: urlOf(route.kind, path) }));
    return { ...state, urls };
  }
}

interface RunnableGraph {
  graph: WorkflowGraph;
  graphHash: string;
}
