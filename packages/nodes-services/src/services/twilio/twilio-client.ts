import { ApiClient } from '../../shared/api-client.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://www.twilio.com/docs/usage/requests-to-twilio (API of 2010-04-01) */
export const twilioClient = new ApiClient({
  service: 'Twilio',
  credentialType: 'twilioApi',
  refusalOf({ body }) {
    const { code } = objectOf(body);
    return typeof code === 'number' ? { code } : {};
  },
  baseUrl: ({ accountSid }) => `https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(asText(accountSid))}`,
});

/** Creates a message or a call. Fields without a value are omitted. */
export function createResource(
  item: ServiceItem,
  resource: 'Calls' | 'Messages',
  fields: Readonly<Record<string, string | undefined>>,
) {
  const form = Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined));
  return item.send({ path: `/${resource}.json`, form });
}
