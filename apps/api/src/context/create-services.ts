import { type Config, readAllowedEnvironment } from '@sluice/config';
import { SnapshotCache } from '@sluice/db';
import type { Logger } from '@sluice/logger';
import type { NodePackages } from '@sluice/node-packages';
import { ApiKeyService } from '../api-keys/api-key-service.ts';
import { AttentionService } from '../attention/attention-service.ts';
import { AuditService } from '../audit-log/audit-service.ts';
import type { AccessSignals } from '../auth/access-signals.ts';
import type { CredentialHealth } from '../credentials/credential-health.ts';
import { DataRowService } from '../data-tables/data-row-service.ts';
import { DataTableService } from '../data-tables/data-table-service.ts';
import { EventService } from '../events/event-service.ts';
import { StreamSlots } from '../events/stream-slots.ts';
import { ExecutionService, type ReadPage } from '../executions/execution-service.ts';
import { RetryService } from '../executions/retry-service.ts';
import { RunService } from '../executions/run-service.ts';
import { TestUrlService } from '../inbound/webhook/test-url-service.ts';
import { loadNodeTypes } from '../node-types/load-node-types.ts';
import { NodeTypeService } from '../node-types/node-type-service.ts';
import type { Lists } from '../paging/lists.ts';
import { ProjectService } from '../projects/project-service.ts';
import type { Services } from '../services.ts';
import { SessionService } from '../sessions/session-service.ts';
import { StatisticsService } from '../statistics/statistics-service.ts';
import { SystemService } from '../system/system-service.ts';
import { TagService } from '../tags/tag-service.ts';
import { TriggerPlanner } from '../triggers/trigger-planner.ts';
import type { TriggerToolbox } from '../triggers/trigger-tools.ts';
import { UserService } from '../users/user-service.ts';
import { TransferService } from '../workflows/transfer-service.ts';
import { WorkflowAdvisor } from '../workflows/workflow-advisor.ts';
import { isShortPage, type ReadWorkflowPage, WorkflowService } from '../workflows/workflow-service.ts';
import { WorkflowVersionService } from '../workflows/workflow-version-service.ts';
import type { CredentialServices } from './create-credentials.ts';
import type { Messaging } from './create-messaging.ts';
import type { NodeInvocation } from './create-node-invocation.ts';
import type { Repositories } from './create-repositories.ts';

type WorkflowServices = Pick<Services, 'workflows' | 'workflowVersions' | 'transfers' | 'testUrls'>;
type ExecutionServices = Pick<Services, 'executions' | 'events' | 'retries' | 'runs'>;

interface ServiceParts extends Pick<Messaging, 'ended' | 'feed' | 'changes' | 'delivery' | 'signals'> {
  lists: Lists;
  repositories: Repositories;
  logger: Logger;
  accessSignals: AccessSignals;
  toolbox: TriggerToolbox;
  nodeInvocation: Pick<NodeInvocation, 'registrar' | 'nodeMethods' | 'previews'>;
  nodePackages: NodePackages;
  credentialHealth: CredentialHealth;
}

/** All services except those of credentials and files. */
export function createServices(
  config: Config,
  parts: ServiceParts,
): Omit<Services, keyof CredentialServices | 'binaryData' | 'eventSubscriptions'> {
  const { repositories, accessSignals: signals, nodePackages } = parts;
  const { apiKeys, dataTables, dataTableRows, projects, tags, users } = repositories;
  return {
    apiKeys: new ApiKeyService({ apiKeys, signals, license: config.license }),
    sessions: new SessionService({ signIns: repositories.signIns, signals }),
    users: new UserService({ users, projects, signals }),
    projects: new ProjectService({ projects, users, signals }),
    dataTables: new DataTableService({ dataTables, projects }),
    dataRows: new DataRowService(dataTableRows),
    statistics: new StatisticsService(parts.lists),
    attention: new AttentionService({
      attention: repositories.attention,
      workers: repositories.workerList,
      credentials: parts.credentialHealth,
      packages: nodePackages,
      limits: config.limits,
    }),
    audit: new AuditService(repositories.audit),
    system: new SystemService({ workers: repositories.workerList, limits: config.limits }),
    tags: new TagService(tags),
    nodeMethods: parts.nodeInvocation.nodeMethods,
    previews: parts.nodeInvocation.previews,
    nodePackages,
    nodeTypes: new NodeTypeService(() => loadNodeTypes(nodePackages)),
    ...createWorkflowServices(config, parts),
    ...createExecutionServices(config, parts),
  };
}

function createWorkflowServices(
  { expressions, http: { publicUrl }, license, limits, timezone }: Config,
  { lists, repositories, logger, delivery, signals, toolbox, nodeInvocation: { registrar } }: ServiceParts,
): WorkflowServices {
  const { executionMoves, graphs, projects, registrations, tags, testUrls, triggers, variables, workflowVersions, workflows } =
    repositories;
  const env = readAllowedEnvironment(expressions.envAllow);
  const planner = new TriggerPlanner({ triggers, variables, tools: () => toolbox.load(), env, timezone });
  const maxNodes = limits.workflowMaxNodes;
  return {
    workflows: new WorkflowService({
      lists,
      pages: new SnapshotCache<ReadWorkflowPage>(() => lists.read((reader) => reader.snapshot()), isShortPage),
      workflows,
      projects,
      tags,
      workflowVersions,
      triggers,
      planner,
      registrar,
      registrations,
      advisor: new WorkflowAdvisor(async () => (await toolbox.load()).nodes.ports.nodeTypes),
      delivery,
      signals,
      maxNodes,
      publicUrl,
    }),
    workflowVersions: new WorkflowVersionService({ workflows, workflowVersions }),
    testUrls: new TestUrlService({ testUrls, workflows, workflowVersions, graphs, planner, maxNodes, publicUrl }),
    transfers: new TransferService({ workflows, projects, executionMoves, license, logger }),
  };
}

function createExecutionServices(
  { eventStreams, http, limits }: Config,
  { lists, repositories, logger, ended, feed, changes, delivery, signals }: ServiceParts,
): ExecutionServices {
  const { annotations, calledExecutions, executions, executionStarter, graphs, executionProgress, runData, workflows } =
    repositories;
  const pages = new SnapshotCache<ReadPage>(() => lists.read((reader) => reader.snapshot()));
  return {
    executions: new ExecutionService({
      executions,
      lists,
      pages,
      runData,
      annotations,
      graphs,
      workflows,
      signals,
      calledExecutions,
      delivery,
      logger,
    }),
    events: new EventService({ executions, executionProgress, feed, changes, slots: new StreamSlots(eventStreams) }),
    retries: new RetryService({ executions, workflows, graphs, delivery }),
    runs: new RunService({
      workflows,
      graphs,
      executions,
      executionStarter,
      runData,
      delivery,
      ended,
      maxNodes: limits.workflowMaxNodes,
      runWaitMs: http.runWaitMs,
    }),
  };
}
