import type { CredentialType } from '@sluice/node-sdk';
import { secret } from '../shared/properties.ts';
import { bearer, serviceType } from './service-type.ts';

const apiKey = secret('apiKey', 'API Key', { required: true });

/** Keys of the free plan end with `:fx` and are valid only at the address of that plan. */
export const deepLHost = (key: unknown): string =>
  typeof key === 'string' && key.trim().endsWith(':fx') ? 'api-free.deepl.com' : 'api.deepl.com';

/** More services at a fixed address whose requests include a key. */
export const keyTypes: readonly CredentialType[] = [
  serviceType({
    name: 'deepLApi',
    displayName: 'DeepL',
    documentation: 'https://developers.deepl.com/docs/getting-started/auth',
    properties: [apiKey],
    authenticate: { headers: { Authorization: 'DeepL-Auth-Key {apiKey}' } },
    hosts: ({ apiKey: key }) => [deepLHost(key)],
    test: ({ apiKey: key }) => `https://${deepLHost(key)}/v2/usage`,
  }),
  serviceType({
    name: 'mailjetEmailApi',
    displayName: 'Mailjet (Email)',
    documentation: 'https://dev.mailjet.com/email/guides/#authentication',
    properties: [apiKey, secret('secretKey', 'Secret Key', { required: true })],
    authenticate: { basic: { user: '{apiKey}', password: '{secretKey}' } },
    hosts: ['api.mailjet.com'],
    test: 'https://api.mailjet.com/v3/REST/sender?Limit=1',
  }),
  serviceType({
    name: 'mailjetSmsApi',
    displayName: 'Mailjet (SMS)',
    documentation: 'https://dev.mailjet.com/sms/guides/#authentication',
    properties: [secret('token', 'Token', { required: true })],
    authenticate: bearer('token'),
    hosts: ['api.mailjet.com'],
    test: 'https://api.mailjet.com/v4/sms?Limit=1',
  }),
  serviceType({
    name: 'nasaApi',
    displayName: 'NASA',
    documentation: 'https://api.nasa.gov',
    properties: [secret('api_key', 'API Key', { required: true })],
    authenticate: { query: { api_key: '{api_key}' } },
    hosts: ['api.nasa.gov'],
    test: 'https://api.nasa.gov/planetary/apod',
  }),
];
