import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import {
  atLeast,
  choice,
  choices,
  collection,
  names,
  namesParameter,
  number,
  text,
  toggle,
  where,
} from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, filledFields } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { createSession, endSession, orEndSession, saveProfile, sessionOf } from './airtop-client.ts';
import { more, profileName, sessionId } from './airtop-properties.ts';

const defaultTimeout = 10;

/** https://docs.airtop.ai/api-reference/airtop-api/sessions */
export const session: Resource = {
  displayName: 'Session',
  operations: {
    create: {
      displayName: 'Create Session',
      description: 'Starts a browser, and waits until it runs',
      properties: [
        profileName,
        toggle('saveProfileOnTermination', 'Save Profile', 'Whether the profile is saved when the session ends'),
        toggle('record', 'Record', 'Whether the session is recorded'),
        atLeast(
          1,
          number('timeoutMinutes', 'Idle Timeout', defaultTimeout, 'Minutes without use after which the session ends'),
        ),
        choice(
          'proxy',
          'Proxy',
          choices(['none', 'None'], ['integrated', 'Integrated', 'A proxy of Airtop'], ['proxyUrl', 'Proxy URL']),
        ),
        collection(
          'proxyConfig',
          'Proxy Configuration',
          [
            text('country', 'Country', 'Code of the country, such as `US`', { default: 'US' }),
            toggle('sticky', 'Keep Same IP', 'Whether the address stays the same'),
          ],
          where({ proxy: ['integrated'] }),
        ),
        text('proxyUrl', 'Proxy URL', 'Address of the proxy', { required: true, ...where({ proxy: ['proxyUrl'] }) }),
        more(
          toggle('solveCaptcha', 'Auto Solve Captchas', 'Whether Airtop solves captchas'),
          names('extensionIds', 'Extension IDs', 'IDs of extensions of the Chrome Web Store, separated by commas'),
        ),
      ],
      run: create,
    },
    save: {
      displayName: 'Save Profile on Termination',
      description: 'Saves cookies and storage in a profile when the session ends',
      properties: [sessionId, { ...profileName, required: true }],
      async run(item) {
        const id = sessionOf(item);
        const name = item.required('profileName');
        await saveProfile(item, id, name);
        return { sessionId: id, profileName: name };
      },
    },
    terminate: {
      displayName: 'Terminate Session',
      description: 'Ends a session',
      properties: [sessionId],
      async run(item) {
        await endSession(item, sessionOf(item));
        return { success: true };
      },
    },
  },
};

async function create(item: ServiceItem): Promise<JsonValue> {
  const profile = item.text('profileName').trim();
  const extensions = namesParameter(item.context, 'additionalFields.extensionIds', item.index);
  const configuration = filledFields({
    profileName: profile,
    timeoutMinutes: item.number('timeoutMinutes', defaultTimeout),
    record: item.toggle('record') || undefined,
    proxy: proxyOf(item),
    solveCaptcha: item.toggle('additionalFields.solveCaptcha') || undefined,
    extensionIds: extensions.length > 0 ? extensions : undefined,
  });
  const created = await createSession(item, configuration);
  const id = asText(created['sessionId']);
  if (item.toggle('saveProfileOnTermination') && profile !== '')
    await orEndSession(item, id, () => saveProfile(item, id, profile));
  return created;
}

function proxyOf(item: ServiceItem): JsonValue | undefined {
  const kind = item.text('proxy', 'none');
  if (kind === 'proxyUrl') return item.required('proxyUrl');
  if (kind !== 'integrated') return undefined;
  const { country, sticky }: JsonObject = item.fields('proxyConfig');
  return country === undefined && sticky === undefined ? true : filledFields({ country, sticky });
}
