import type { BinaryStore } from '@sluice/binary-store';
import type { Config } from '@sluice/config';
import type { Logger } from '@sluice/logger';
import type { ResumeTokens, Vault } from '@sluice/vault';
import type { FormPorts } from '../inbound/form/form-ports.ts';
import { FormService } from '../inbound/form/form-service.ts';
import { FormVisits } from '../inbound/form/form-visits.ts';
import { ResumeService } from '../inbound/resume/resume-service.ts';
import { UpcomingWaits } from '../inbound/resume/upcoming-waits.ts';
import { RequestAuthenticator } from '../inbound/shared/request-authenticator.ts';
import { WorkflowResponseWaiter } from '../inbound/shared/workflow-response-waiter.ts';
import type { WebhookRouterOptions } from '../inbound/webhook/webhook-router.ts';
import { WebhookService } from '../inbound/webhook/webhook-service.ts';
import type { Messaging } from './create-messaging.ts';
import type { NodeInvocation } from './create-node-invocation.ts';
import type { Repositories } from './create-repositories.ts';

/** What others call over HTTP: executions that wait for a call, and workflows. */
export interface Inbound {
  resumes: ResumeService;
  webhooks: Omit<WebhookRouterOptions, 'limits' | 'misses' | 'anonymous'>;
  forms: Omit<FormPorts, 'limits' | 'misses' | 'anonymous'>;
}

interface InboundParts extends Pick<Messaging, 'delivery' | 'signals' | 'answered' | 'chunks' | 'redisState'> {
  repositories: Repositories;
  logger: Logger;
  vault: Vault;
  tokens: ResumeTokens;
  nodeInvocation: Pick<NodeInvocation, 'handler'>;
  store: BinaryStore;
}

export function createInbound(
  { http, binary }: Config,
  {
    repositories,
    logger,
    vault,
    tokens,
    store,
    nodeInvocation: { handler },
    delivery,
    signals,
    chunks,
    answered: notifier,
    redisState: redis,
  }: InboundParts,
): Inbound {
  const {
    binaries,
    credentialUses: credentials,
    executionWaits: waits,
    formSessions: sessions,
    graphs,
    testUrls,
    webhookRoutes,
    webhookStarts: starts,
  } = repositories;
  const authenticator = new RequestAuthenticator({ vault, logger });
  const waiter = new WorkflowResponseWaiter({
    answers: repositories.webhookAnswers,
    notifier,
    redis,
    waitMs: http.webhookWaitMs,
  });
  const upcoming = new UpcomingWaits({ waits, tokens, notifier });
  return {
    resumes: new ResumeService({ waits, upcoming, credentials, authenticator, delivery, signals, waiter }),
    webhooks: {
      webhooks: new WebhookService({
        routes: webhookRoutes,
        testUrls,
        starts,
        credentials,
        authenticator,
        delivery,
        waiter,
        handler,
        chunks,
      }),
      files: { starts, store, caps: binary },
      handler,
      binaries,
      store,
      publicUrl: http.publicUrl,
    },
    forms: {
      forms: new FormService({ routes: webhookRoutes, testUrls, starts, credentials, authenticator, delivery }),
      visits: new FormVisits({ waits, upcoming, sessions, graphs, credentials, authenticator, delivery, signals, notifier }),
      waiter,
      files: { starts, store, caps: binary },
      binaries,
      store,
      publicUrl: http.publicUrl,
    },
  };
}
