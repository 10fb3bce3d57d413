import type { JsonObject } from '@sluice/domain';
import type { SentRequest } from '../service-requests.ts';

/** A service without a trigger. The documented example of its node runs in a webhook workflow. */
export interface ServiceAction {
  /** Credential type → its data. */
  credentials: Readonly<Record<string, JsonObject>>;
  /** Requests that the service receives, in order. */
  requests: readonly SentRequest[];
  /** Output items. Default: the output of the example. */
  items?: readonly JsonObject[];
}
