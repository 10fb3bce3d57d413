import { apiKeyRoutes } from './api-keys/api-key-routes.ts';
import { attentionRoutes } from './attention/attention-routes.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { binaryDataRoutes } from './binary-data/binary-data-routes.ts';
import { credentialTypeRoutes } from './credential-types/credential-type-routes.ts';
import { credentialRoutes } from './credentials/credential-routes.ts';
import { dataTableRoutes } from './data-tables/data-table-routes.ts';
import { eventSubscriptionRoutes } from './event-subscriptions/event-subscription-routes.ts';
import { executionRoutes } from './executions/execution-routes.ts';
import type { Route } from './http/route/define-route.ts';
import { nodeTypeRoutes } from './node-types/node-type-routes.ts';
import { buildDocument } from './openapi/build-document.ts';
import type { OpenApiDocument } from './openapi/document.ts';
import { projectRoutes } from './projects/project-routes.ts';
import { sessionRoutes } from './sessions/session-routes.ts';
import { statisticsRoutes } from './statistics/statistics-routes.ts';
import { systemRoutes } from './system/system-routes.ts';
import { tagRoutes } from './tags/tag-routes.ts';
import { userRoutes } from './users/user-routes.ts';
import { workflowRoutes } from './workflows/workflow-routes.ts';

const groups = [
  workflowRoutes,
  tagRoutes,
  nodeTypeRoutes,
  executionRoutes,
  statisticsRoutes,
  systemRoutes,
  attentionRoutes,
  auditRoutes,
  binaryDataRoutes,
  credentialTypeRoutes,
  credentialRoutes,
  apiKeyRoutes,
  sessionRoutes,
  userRoutes,
  projectRoutes,
  eventSubscriptionRoutes,
  dataTableRoutes,
];

/** Every route below `/api/v1`. */
export const routes: readonly Route[] = groups.flatMap((group) => Object.values<Route>(group));

/** OpenAPI document of these routes, with the API key in its default header. */
export function openApiDocument(): OpenApiDocument {
  return buildDocument({ routes, keyHeader: 'X-SERVICE-API-KEY' });
}
