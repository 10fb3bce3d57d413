import { executionRoutes } from './executions/index.ts';
import type { Route } from './http/define-route.ts';
import { workflowRoutes } from './workflows/index.ts';

/** Every route below `/api/v1`. */
export const routes: readonly Route[] = [...workflowRoutes, ...executionRoutes];
