import type { BinaryStore } from '@sluice/binary-store';
import type { Config } from '@sluice/config';
import type { Logger } from '@sluice/logger';
import type { Vault } from '@sluice/vault';
import type { FormPorts } from '../forms/form-ports.ts';
import { FormService } from '../forms/form-service.ts';
import { FormVisits } from '../forms/form-visits.ts';
import { CallAuthenticator } from '../waiting/call-authenticator.ts';
import { ResumeService } from '../waiting/resume-service.ts';
import { CallWaiter } from '../webhooks/call-waiter.ts';
import type { WebhookRouterOptions } from '../webhooks/webhook-router.ts';
import { WebhookService } from '../webhooks/webhook-service.ts';
import type { Messaging } from './create-messaging.ts';
import type { NodeCalls } from './create-node-calls.ts';
import type { Repositories } from './create-repositories.ts';

/** What others call over HTTP: executions that wait for a call, and workflows. */
export interface Called {
  resumes: ResumeService;
  webhooks: Omit<WebhookRouterOptions, 'limits' | 'misses'>;
  forms: Omit<FormPorts, 'limits' | 'misses'>;
}

interface CalledParts extends Pick<Messaging, 'delivery' | 'signals' | 'answers' | 'chunks'> {
  repositories: Repositories;
  logger: Logger;
  vault: Vault;
  nodeCalls: Pick<NodeCalls, 'handler'>;
  store: BinaryStore;
}

export function createCalled(
  { http, binary }: Config,
  { repositories, logger, vault, store, nodeCalls: { handler }, delivery, signals, chunks, answers: news }: CalledParts,
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
  const waiter = new CallWaiter({ answers: repositories.webhookAnswers, news, waitMs: http.webhookWaitMs });
  return {
    resumes: new ResumeService({ waits, credentials, authenticator, delivery, signals, waiter }),
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
      visits: new FormVisits({ waits, sessions, graphs, credentials, authenticator, delivery, signals, news }),
      waiter,
      files: { starts, store, caps: binary },
      binaries,
      store,
    },
  };
}
