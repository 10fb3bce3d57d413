import { type Config, readAllowedEnvironment } from '@sluice/config';
import type { CredentialOpener } from '@sluice/credentials';
import { type AuditLog, GraphCache } from '@sluice/db';
import type { Logger } from '@sluice/logger';
import type { UncaughtErrors } from '@sluice/node-packages';
import type { OutgoingPorts } from '../credentials/outgoing-ports.ts';
import { NodeInvoker } from '../node-invocation/node-invoker.ts';
import { NodeMethodService } from '../node-invocation/node-method-service.ts';
import { PreviewService } from '../node-invocation/preview-service.ts';
import { Registrar } from '../node-invocation/registrar.ts';
import { RequestIdentity, type RequestIdentityOptions } from '../node-invocation/request-identity.ts';
import { WebhookHandler } from '../node-invocation/webhook-handler.ts';
import type { EngineLoader } from '../triggers/engine-loader.ts';
import type { Repositories } from './create-repositories.ts';

/** Maximum size of cached parsed graphs, in bytes of JSON, for webhooks that node types handle. */
const maxGraphBytes = 16 * 1024 * 1024;

interface NodeInvocationParts {
  repositories: Repositories;
  engineLoader: EngineLoader;
  opener: CredentialOpener;
  ports: OutgoingPorts;
  audit: AuditLog;
  access: Pick<RequestIdentityOptions, 'authenticator' | 'usage' | 'refusals'>;
  uncaughtErrors: UncaughtErrors;
  logger: Logger;
}

/** The parts that run node code in this process, outside of executions. */
export function createNodeInvocation({ expressions, http, limits, timezone }: Config, parts: NodeInvocationParts) {
  const { access, repositories, engineLoader } = parts;
  // Each options type picks the parts it needs, as in `createServices`.
  const shared = { ...repositories, ...parts, publicUrl: http.publicUrl };
  const env = readAllowedEnvironment(expressions.envAllow);
  const nodes = new NodeInvoker({ ...shared, engine: () => engineLoader.load(), env, timezone });
  const identity = new RequestIdentity({ ...shared, ...access });
  const graphCache = new GraphCache(repositories.graphs, maxGraphBytes);
  return {
    previews: new PreviewService({ ...shared, nodes, maxNodes: limits.workflowMaxNodes }),
    nodeMethods: new NodeMethodService({ ...shared, nodes }),
    registrar: new Registrar({ ...shared, nodes }),
    handler: new WebhookHandler({ ...shared, nodes, graphCache, identity }),
  };
}

export type NodeInvocation = ReturnType<typeof createNodeInvocation>;
