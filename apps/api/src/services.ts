import type { ApiKeyService } from './api-keys/api-key-service.ts';
import type { AttentionService } from './attention/attention-service.ts';
import type { AuditService } from './audit-log/audit-service.ts';
import type { BinaryService } from './binary-data/binary-service.ts';
import type { CredentialTypeService } from './credential-types/credential-type-service.ts';
import type { CredentialConsents } from './credentials/credential-consents.ts';
import type { CredentialService } from './credentials/credential-service.ts';
import type { CredentialTester } from './credentials/credential-tester.ts';
import type { EventSubscriptionService } from './event-subscriptions/event-subscription-service.ts';
import type { EventService } from './events/event-service.ts';
import type { ExecutionService } from './executions/execution-service.ts';
import type { RetryService } from './executions/retry-service.ts';
import type { RunService } from './executions/run-service.ts';
import type { TestUrlService } from './inbound/webhook/test-url-service.ts';
import type { NodeMethodService } from './node-invocation/node-method-service.ts';
import type { PreviewService } from './node-invocation/preview-service.ts';
import type { FoundPackages } from './node-types/node-package-views.ts';
import type { NodeTypeService } from './node-types/node-type-service.ts';
import type { ProjectService } from './projects/project-service.ts';
import type { StatisticsService } from './statistics/statistics-service.ts';
import type { SystemService } from './system/system-service.ts';
import type { TagService } from './tags/tag-service.ts';
import type { UserService } from './users/user-service.ts';
import type { TransferService } from './workflows/transfer-service.ts';
import type { WorkflowService } from './workflows/workflow-service.ts';
import type { WorkflowVersionService } from './workflows/workflow-version-service.ts';

/** Services that handlers call. They do not depend on HTTP. Built once in `context.ts`. */
export interface Services {
  apiKeys: ApiKeyService;
  users: UserService;
  projects: ProjectService;
  workflows: WorkflowService;
  workflowVersions: WorkflowVersionService;
  transfers: TransferService;
  testUrls: TestUrlService;
  tags: TagService;
  nodeTypes: NodeTypeService;
  nodeMethods: NodeMethodService;
  previews: PreviewService;
  /** Packages found at startup. */
  nodePackages: FoundPackages;
  credentials: CredentialService;
  credentialTypes: CredentialTypeService;
  credentialTests: CredentialTester;
  credentialConsents: CredentialConsents;
  eventSubscriptions: EventSubscriptionService;
  executions: ExecutionService;
  events: EventService;
  statistics: StatisticsService;
  system: SystemService;
  attention: AttentionService;
  audit: AuditService;
  binaryData: BinaryService;
  runs: RunService;
  retries: RetryService;
}
