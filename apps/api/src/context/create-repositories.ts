import {
  AccessChangeRepository,
  AnnotationRepository,
  ApiKeyRepository,
  AttentionRepository,
  AuditRepository,
  BinaryRepository,
  CalledExecutionRepository,
  CredentialConsentRepository,
  CredentialRepository,
  CredentialUseRepository,
  createQueueGauge,
  type Database,
  DataTableConnections,
  type DataTableLimits,
  DataTableRepository,
  DataTableRowRepository,
  EventDeliveryRepository,
  EventSubscriptionRepository,
  ExecutionChangeRepository,
  ExecutionMoveRepository,
  ExecutionProgressRepository,
  ExecutionRepository,
  ExecutionStarter,
  ExecutionWaitRepository,
  FormSessionRepository,
  GraphRepository,
  ProjectRepository,
  RegistrationRepository,
  RunDataRepository,
  SignInRepository,
  StaticDataRepository,
  StorageQuotaRepository,
  TagRepository,
  TestUrlRepository,
  TriggerRepository,
  UserRepository,
  VariableRepository,
  WebhookResponseRepository,
  WebhookRouteRepository,
  WebhookStartRepository,
  WorkerListRepository,
  WorkflowQuotaRepository,
  WorkflowRepository,
  WorkflowVersionRepository,
} from '@sluice/db';

interface RepositoryLimits {
  /** Maximum number of a project's executions that wait to start. */
  queuedMaxPerProject: number;
  /** Maximum number of bytes that a project's executions store. */
  storageMaxBytesPerProject: number;
  workflowsMaxBytesPerProject: number;
  dataTables: DataTableLimits & { connections: number };
}

/**
 * One instance of each repository. Those that start executions share the gauge, which counts this
 * process's starts.
 */
export function createRepositories(
  db: Database,
  { queuedMaxPerProject, storageMaxBytesPerProject: maxBytes, workflowsMaxBytesPerProject, dataTables }: RepositoryLimits,
) {
  const { kysely } = db;
  const workflowQuota = new WorkflowQuotaRepository(kysely, { maxBytes: workflowsMaxBytesPerProject });
  const queueGauge = createQueueGauge(db, queuedMaxPerProject);
  const dataTableConnections = new DataTableConnections(dataTables.connections);
  return {
    accessChanges: new AccessChangeRepository(kysely),
    annotations: new AnnotationRepository(kysely),
    attention: new AttentionRepository(kysely),
    audit: new AuditRepository(kysely),
    apiKeys: new ApiKeyRepository(kysely),
    binaries: new BinaryRepository(kysely),
    calledExecutions: new CalledExecutionRepository(db),
    credentialConsents: new CredentialConsentRepository(kysely),
    credentials: new CredentialRepository(kysely),
    credentialUses: new CredentialUseRepository(kysely),
    dataTables: new DataTableRepository(kysely, dataTables, dataTableConnections),
    dataTableRows: new DataTableRowRepository(kysely, dataTables, dataTableConnections),
    eventDeliveries: new EventDeliveryRepository(kysely),
    eventSubscriptions: new EventSubscriptionRepository(kysely),
    executionChanges: new ExecutionChangeRepository(db),
    executionMoves: new ExecutionMoveRepository(kysely),
    executions: new ExecutionRepository(db, { queueGauge }),
    executionStarter: new ExecutionStarter(db, { queueGauge }),
    executionWaits: new ExecutionWaitRepository(db),
    formSessions: new FormSessionRepository(db),
    graphs: new GraphRepository(kysely, workflowQuota),
    executionProgress: new ExecutionProgressRepository(db),
    projects: new ProjectRepository(kysely),
    registrations: new RegistrationRepository(kysely),
    runData: new RunDataRepository(db),
    signIns: new SignInRepository(kysely),
    staticData: new StaticDataRepository(kysely),
    storageQuotas: new StorageQuotaRepository(kysely, { maxBytes }),
    tags: new TagRepository(kysely),
    testUrls: new TestUrlRepository(db),
    triggers: new TriggerRepository(kysely),
    users: new UserRepository(kysely),
    variables: new VariableRepository(kysely),
    workflowVersions: new WorkflowVersionRepository(kysely),
    webhookResponses: new WebhookResponseRepository(db),
    webhookRoutes: new WebhookRouteRepository(db),
    webhookStarts: new WebhookStartRepository(db, { queueGauge }),
    workerList: new WorkerListRepository(kysely),
    workflows: new WorkflowRepository(kysely, workflowQuota),
  };
}

export type Repositories = ReturnType<typeof createRepositories>;
