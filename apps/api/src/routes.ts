import { apiKeyRoutes } from './api-keys/index.ts';
import { attentionRoutes } from './attention/index.ts';
import { auditRoutes } from './audit-log/index.ts';
import { binaryDataRoutes } from './binary-data/index.ts';
import { credentialTypeRoutes } from './credential-types/index.ts';
import { credentialRoutes } from './credentials/index.ts';
import { dataTableRoutes } from './data-tables/index.ts';
import { eventSubscriptionRoutes } from './event-subscriptions/index.ts';
import { executionRoutes } from './executions/index.ts';
import type { Route } from './http/define-route.ts';
import { nodeTypeRoutes } from './node-types/index.ts';
import { buildDocument } from './openapi/build-document.ts';
import type { OpenApiDocument } from './openapi/document.ts';
import { projectRoutes } from './projects/index.ts';
import { sessionRoutes } from './sessions/index.ts';
import { statisticsRoutes } from './statistics/index.ts';
import { systemRoutes } from './system/index.ts';
import { tagRoutes } from './tags/index.ts';
import { userRoutes } from './users/index.ts';
import { workflowRoutes } from './workflows/index.ts';

/** Every route below `/api/v1`. */
export const routes: readonly Route[] = [
  ...workflowRoutes,
  ...tagRoutes,
  ...nodeTypeRoutes,
  ...executionRoutes,
  ...statisticsRoutes,
  ...systemRoutes,
  ...attentionRoutes,
  ...auditRoutes,
  ...binaryDataRoutes,
  ...credentialTypeRoutes,
  ...credentialRoutes,
  ...apiKeyRoutes,
  ...sessionRoutes,
  ...userRoutes,
  ...projectRoutes,
  ...eventSubscriptionRoutes,
  ...dataTableRoutes,
];

/** OpenAPI document of these routes, with the API key in its default header. */
export function openApiDocument(): OpenApiDocument {
  return buildDocument({ routes, keyHeader: 'X-SERVICE-API-KEY' });
}
