import type { BinaryStore } from '@sluice/binary-store';
import { type Config, readAllowedEnvironment } from '@sluice/config';
import type { ExecutionPage } from '@sluice/contract';
import { SnapshotCache } from '@sluice/db';
import type { Logger } from '@sluice/logger';
import type { NodePackages } from '@sluice/node-packages';
import type { EgressGuard } from '@sluice/node-sdk';
import type { Vault } from '@sluice/vault';
import { ApiKeyService } from '../api-keys/api-key-service.ts';
import { AttentionService } from '../attention/attention-service.ts';
import { AuditService } from '../audit/audit-service.ts';
import type { AccessSignals } from '../auth/access-changes.ts';
import { BinaryService } from '../binary-data/binary-service.ts';
import type { CredentialHealth } from '../credentials/credential-health.ts';
import { DataRowService } from '../data-tables/data-row-service.ts';
import { DataTableService } from '../data-tables/data-table-service.ts';
import { EventService } from '../event-streams/event-service.ts';
import { StreamSlots } from '../event-streams/stream-slots.ts';
import { EventSubscriptionService } from '../event-subscriptions/event-subscription-service.ts';
import { ExecutionService } from '../executions/execution-service.ts';
import { RetryService } from '../executions/retry-service.ts';
import { RunService } from '../executions/run-service.ts';
import { ShownRunReader } from '../executions/shown-run-reader.ts';
import { TestUrlService } from '../inbound/webhook/test-url-service.ts';
import { loadNodeTypes } from '../node-types/load-node-types.ts';
import { NodeTypeService } from '../node-types/node-type-service.ts';
import type { Lists } from '../paging/lists.ts';
import { ProjectService } from '../projects/project-service.ts';
import { SessionService } from '../sessions/session-service.ts';
import { StatisticsService } from '../statistics/statistics-service.ts';
import { SystemService } from '../system/system-service.ts';
import type { EngineLoader } from '../triggers/engine-loader.ts';
import { TriggerPlanner } from '../triggers/trigger-planner.ts';
import { UserService } from '../users/user-service.ts';
import { TransferService } from '../workflows/transfer-service.ts';
import { WorkflowAdvisor } from '../workflows/workflow-advisor.ts';
import { isShortPage, type ReadWorkflowPage, WorkflowService } from '../workflows/workflow-service.ts';
import { WorkflowVersionService } from '../workflows/workflow-version-service.ts';
import type { Messaging } from './create-messaging.ts';
import type { NodeInvocation } from './create-node-invocation.ts';
import type { Repositories } from './create-repositories.ts';

interface ServiceParts
  extends Pick<Messaging, 'ended' | 'feed' | 'changes' | 'enqueuer' | 'signals'>,
    Pick<NodeInvocation, 'registrar' | 'nodeMethods' | 'previews'> {
  lists: Lists;
  repositories: Repositories;
  logger: Logger;
  accessSignals: AccessSignals;
  engineLoader: EngineLoader;
  nodePackages: NodePackages;
  credentialHealth: CredentialHealth;
  vault: Vault;
  guard: EgressGuard;
  store: BinaryStore;
}

/** All services except the credential services. */
export function createServices(config: Config, parts: ServiceParts) {
  const { license, limits, timezone } = config;
  const { lists, nodeMethods, nodePackages, previews, repositories, engineLoader } = parts;
  const env = readAllowedEnvironment(config.expressions.envAllow);
  // Every service gets all parts, and its options type picks the needed ones. A service that needs
  // another part only changes its own options type.
  const shared = {
    ...repositories,
    ...parts,
    planner: new TriggerPlanner({ ...repositories, engine: () => engineLoader.load(), env, timezone }),
    shownRuns: new ShownRunReader(repositories.runData),
    license,
    limits,
    maxNodes: limits.workflowMaxNodes,
    publicUrl: config.http.publicUrl,
    runWaitMs: config.http.runWaitMs,
  };
  return {
    apiKeys: new ApiKeyService(shared),
    sessions: new SessionService(shared),
    users: new UserService(shared),
    projects: new ProjectService(shared),
    dataTables: new DataTableService(shared),
    dataRows: new DataRowService(shared),
    statistics: new StatisticsService(shared),
    attention: new AttentionService(shared),
    audit: new AuditService(shared),
    system: new SystemService(shared),
    tags: repositories.tags,
    eventSubscriptions: new EventSubscriptionService(shared),
    binaryData: new BinaryService(shared),
    nodeMethods,
    previews,
    nodePackages,
    nodeTypes: new NodeTypeService(() => loadNodeTypes(nodePackages)),
    workflows: new WorkflowService({
      ...shared,
      pages: new SnapshotCache<ReadWorkflowPage>(() => lists.read((reader) => reader.snapshot()), isShortPage),
      advisor: new WorkflowAdvisor(async () => (await engineLoader.load()).nodes.ports.nodeTypes),
    }),
    workflowVersions: new WorkflowVersionService(shared),
    testUrls: new TestUrlService(shared),
    transfers: new TransferService(shared),
    executions: new ExecutionService({
      ...shared,
      pages: new SnapshotCache<ExecutionPage>(() => lists.read((reader) => reader.snapshot())),
    }),
    events: new EventService({ ...shared, slots: new StreamSlots(config.eventStreams) }),
    retries: new RetryService(shared),
    runs: new RunService(shared),
  };
}
