import type { Config } from '@sluice/config';
import type { Logger } from '@sluice/logger';
import { AccessSignals, AccessWatch } from '../auth/access-changes.ts';
import { Authenticator } from '../auth/authenticator.ts';
import { KeyUsage } from '../auth/key-usage.ts';
import type { Messaging } from './create-messaging.ts';
import type { Repositories } from './create-repositories.ts';

interface AccessParts extends Pick<Messaging, 'accessChannel' | 'onAccessChange' | 'feed'> {
  repositories: Pick<Repositories, 'apiKeys' | 'accessChanges'>;
  logger: Logger;
}

/** Rights of users and keys: cached in memory until a change here or in another process. */
export function createAccess({ license }: Config, { repositories, logger, accessChannel, onAccessChange, feed }: AccessParts) {
  const { apiKeys, accessChanges } = repositories;
  const watch = new AccessWatch({ accessChanges, logger });
  const usage = new KeyUsage({ apiKeys, logger });
  const authenticator = new Authenticator({ apiKeys, watch, license });
  const forget = (userIds: readonly string[]) => {
    authenticator.forget(userIds);
    feed.accessChanged(userIds);
  };
  watch.start(forget);
  onAccessChange(forget);
  const close = async () => {
    watch.close();
    await usage.flush();
  };
  return { authenticator, usage, close, signals: new AccessSignals({ forget, channel: accessChannel, logger }) };
}
