import type { TestUrlsView } from '@sluice/contract';
import type { AddressedTestUrls } from '../inbound/webhook/test-url-service.ts';

export function toTestUrlsView({ open, expiresAt, executionId, urls }: AddressedTestUrls): TestUrlsView {
  return {
    open,
    expiresAt: expiresAt.toISOString(),
    executionId,
    urls: urls.map(({ nodeName, kind, methods, url }) => ({ nodeName, kind, methods: [...methods], url })),
  };
}
