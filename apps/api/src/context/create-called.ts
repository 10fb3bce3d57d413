import type { BinaryStore } from '@sluice/binary-store';
import type { Config } from '@sluice/config';
import type { Logger } from '@sluice/logger';
import type { ResumeTokens, Vault } from '@sluice/vault';
import type { FormPorts } from '../inbound/form/form-ports.ts';
import { FormService } from '../inbound/form/form-service.ts';
import { FormVisits } from '../inbound/form/form-visits.ts';
import { ResumeService } from '../inbound/resume/resume-service.ts';
import { UpcomingWaits } from '../inbound/resume/upcoming-waits.ts';
import { CallAuthenticator } from '../inbound/shared/call-authenticator.ts';
import { CallWaiter } from '../inbound/shared/call-waiter.ts';
import type { WebhookRouterOptions } from '../inbound/webhook/webhook-router.ts';
import { WebhookService } from '../inbound/webhook/webhook-service.ts';
import type { Messaging } from './create-messaging.ts';
import type { NodeCalls } from './create-node-calls.ts';
import type { Repositories } from './create-repositories.ts';

/** What others call over HTTP: executions that wait for a call, and workflows. */
export interface Called {
  resumes: ResumeService;
  webhooks: Omit<WebhookRouterOptions, 'limits' | 'misses' | 'anonymous'>;
  forms: Omit<FormPorts, 'limits' | 'misses' | 'anonymous'>;
}

interface CalledParts extends Pick<Messaging, 'delivery' | 'signals' | 'answers' | 'chunks' | 'redisState'> {
  repositories: Repositories;
  logger: Logger;
  vault: Vault;
  tokens: ResumeTokens;
  nodeCalls: Pick<NodeCalls, 'handler'>;
  store: BinaryStore;
}

export function createCalled(
  { http, binary }: Config,
  {
    repositories,
    logger,
    vault,
    tokens,
    store,
    nodeCalls: { handler },
    delivery,
    signals,
    chunks,
    answers: news,
    redisState: redis,
  }: CalledParts,
): Called {
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
  const authenticator = new CallAuthenticator({ vault, logger });
  const waiter = new CallWaiter({ answers: repositories.webhookAnswers, news, redis, waitMs: http.webhookWaitMs });
  const upcoming = new UpcomingWaits({ waits, tokens, news });
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
      visits: new FormVisits({ waits, upcoming, sessions, graphs, credentials, authenticator, delivery, signals, news }),
      waiter,
      files: { starts, store, caps: binary },
      binaries,
      store,
      publicUrl: http.publicUrl,
    },
  };
}
