import type { BinaryStore } from '@sluice/binary-store';
import type { Config } from '@sluice/config';
import type { Logger } from '@sluice/logger';
import type { ResumeTokens, Vault } from '@sluice/vault';
import { StreamSlots } from '../events/stream-slots.ts';
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

interface InboundParts extends Pick<Messaging, 'enqueuer' | 'signals' | 'notifier' | 'chunks' | 'sessions' | 'redisWatch'> {
  repositories: Repositories;
  logger: Logger;
  vault: Vault;
  tokens: ResumeTokens;
  nodeInvocation: Pick<NodeInvocation, 'handler'>;
  store: BinaryStore;
}

export function createInbound(
  { http, binary, eventStreams }: Config,
  {
    repositories,
    logger,
    vault,
    tokens,
    store,
    nodeInvocation: { handler },
    enqueuer,
    signals,
    chunks,
    sessions,
    notifier,
    redisWatch,
  }: InboundParts,
): Inbound {
  const {
    binaries,
    credentialUses,
    executionWaits,
    formSessions,
    graphs,
    testUrls,
    webhookResponses,
    webhookRoutes,
    webhookStarts,
  } = repositories;
  const admission = new Admission({
    authenticator: new RequestAuthenticator({ vault, logger }),
    files: { webhookStarts, store, caps: binary },
  });
  const waiter = new WorkflowResponseWaiter({
    webhookResponses,
    notifier,
    redisWatch,
    waitMs: http.webhookWaitMs,
  });
  const upcoming = new UpcomingWaits({ executionWaits, tokens, notifier });
  const { publicUrl } = http;
  return {
    resumes: {
      resumes: new ResumeService({ executionWaits, upcoming, credentialUses, admission, enqueuer, signals, waiter, chunks }),
      binaries,
      store,
      publicUrl,
    },
    webhooks: {
      webhooks: new WebhookService({
        webhookRoutes,
        testUrls,
        webhookStarts,
        credentialUses,
        admission,
        enqueuer,
        waiter,
        handler,
        chunks,
        streams: new McpStreams({
          channel: sessions,
          slots: new StreamSlots({ ...eventStreams, owner: 'the MCP server' }),
          logger,
        }),
      }),
      binaries,
      store,
      publicUrl,
    },
    forms: {
      forms: new FormService({ webhookRoutes, testUrls, webhookStarts, credentialUses, admission, enqueuer }),
      visits: new FormVisits({
        executionWaits,
        upcoming,
        formSessions,
        graphs,
        credentialUses,
        admission,
        enqueuer,
        signals,
        notifier,
      }),
      waiter,
      binaries,
      store,
      publicUrl,
    },
  };
}
