import type { BinaryStore } from '@sluice/binary-store';
import type { Config } from '@sluice/config';
import type { Logger } from '@sluice/logger';
import type { Vault } from '@sluice/vault';
import { CallAuthenticator } from '../waiting/call-authenticator.ts';
import { ResumeService } from '../waiting/resume-service.ts';
import { CallWaiter } from '../webhooks/call-waiter.ts';
import type { WebhookRouterOptions } from '../webhooks/webhook-router.ts';
import { WebhookService } from '../webhooks/webhook-service.ts';
import type { Messaging } from './create-messaging.ts';
import type { Repositories } from './create-repositories.ts';

/** What others call over HTTP: executions that wait for a call, and workflows. */
export interface Called {
  resumes: ResumeService;
  webhooks: Omit<WebhookRouterOptions, 'limits'>;
}

interface CalledParts extends Pick<Messaging, 'delivery' | 'signals' | 'answers'> {
  repositories: Repositories;
  logger: Logger;
  vault: Vault;
  store: BinaryStore;
}

export function createCalled(
  { http, binary }: Config,
  { repositories, logger, vault, store, delivery, signals, answers: news }: CalledParts,
): Called {
  const { binaries, credentialUses: credentials, executionWaits: waits, webhookRoutes, webhookStarts: starts } = repositories;
  const authenticator = new CallAuthenticator({ vault, logger });
  const waiter = new CallWaiter({ answers: repositories.webhookAnswers, news, waitMs: http.webhookWaitMs });
  return {
    resumes: new ResumeService({ waits, credentials, authenticator, delivery, signals }),
    webhooks: {
      webhooks: new WebhookService({ routes: webhookRoutes, starts, credentials, authenticator, delivery, waiter }),
      files: { starts, store, caps: binary },
      binaries,
      store,
      publicUrl: http.publicUrl,
    },
  };
}
