import type { BinaryStore } from '@sluice/binary-store';
import type { Config } from '@sluice/config';
import type { Logger } from '@sluice/logger';
import type { ResumeTokens, Vault } from '@sluice/vault';
import { StreamSlots } from '../event-streams/stream-slots.ts';
import type { FormRouterOptions } from '../inbound/form/form-router.ts';
import { FormService } from '../inbound/form/form-service.ts';
import { FormVisits } from '../inbound/form/form-visits.ts';
import type { ResumeRouterOptions } from '../inbound/resume/resume-router.ts';
import { ResumeService } from '../inbound/resume/resume-service.ts';
import { Admission } from '../inbound/shared/admission.ts';
import type { InboundPorts } from '../inbound/shared/inbound-request.ts';
import { RequestAuthenticator } from '../inbound/shared/request-authenticator.ts';
import { UpcomingWaits } from '../inbound/shared/upcoming-waits.ts';
import { WorkflowResponseWaiter } from '../inbound/shared/workflow-response-waiter.ts';
import { McpStreams } from '../inbound/webhook/mcp-streams.ts';
import type { WebhookRouterOptions } from '../inbound/webhook/webhook-router.ts';
import { WebhookService } from '../inbound/webhook/webhook-service.ts';
import type { Messaging } from './create-messaging.ts';
import type { NodeInvocation } from './create-node-invocation.ts';
import type { Repositories } from './create-repositories.ts';

/**
 * Options of the routers for requests without an API key, except for the limits of the HTTP server.
 */
export interface Inbound {
  resumes: Omit<ResumeRouterOptions, HttpLimits>;
  webhooks: Omit<WebhookRouterOptions, HttpLimits>;
  forms: Omit<FormRouterOptions, HttpLimits>;
}

type HttpLimits = Exclude<keyof InboundPorts, 'publicUrl'>;

interface InboundParts
  extends Pick<Messaging, 'enqueuer' | 'signals' | 'notifier' | 'chunks' | 'sessions' | 'redisWatch'>,
    Pick<NodeInvocation, 'handler'> {
  repositories: Repositories;
  logger: Logger;
  vault: Vault;
  tokens: ResumeTokens;
  store: BinaryStore;
}

export function createInbound({ http, binary, eventStreams }: Config, parts: InboundParts): Inbound {
  const { repositories, sessions, store, logger } = parts;
  const { binaries, webhookStarts } = repositories;
  const slots = new StreamSlots({ ...eventStreams, owner: 'the MCP server' });
  // Each options type picks the parts it needs, as in `createServices`.
  const shared = {
    ...repositories,
    ...parts,
    admission: new Admission({
      authenticator: new RequestAuthenticator(parts),
      files: { webhookStarts, store, caps: binary },
    }),
    waiter: new WorkflowResponseWaiter({ ...repositories, ...parts, waitMs: http.webhookWaitMs }),
    upcoming: new UpcomingWaits({ ...repositories, ...parts }),
    streams: new McpStreams({ channel: sessions, slots, logger }),
  };
  const ports = { binaries, store, publicUrl: http.publicUrl };
  return {
    resumes: { ...ports, resumes: new ResumeService(shared) },
    webhooks: { ...ports, webhooks: new WebhookService(shared), streams: shared.streams },
    forms: { ...ports, forms: new FormService(shared), visits: new FormVisits(shared), waiter: shared.waiter },
  };
}
