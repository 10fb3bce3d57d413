import type { SubscriptionSecrets } from '@sluice/domain';
import { Webhook } from 'standardwebhooks';

/**
 * Headers of Standard Webhooks. While a secret is being replaced, the signature header has a
 * signature by each secret.
 */
export function signedHeaders(
  { id, body, at }: { id: string; body: string; at: Date },
  { secret, previous }: SubscriptionSecrets,
): Record<string, string> {
  const secrets = [secret, ...(previous && new Date(previous.until) > at ? [previous.secret] : [])];
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((each) => new Webhook(each).sign(id, at, body)).join(' '),
  };
}
