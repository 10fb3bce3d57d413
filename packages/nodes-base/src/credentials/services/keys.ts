import { type AuthenticateRequest, type CredentialType, credentialText } from '@sluice/node-sdk';
import { secret, text } from '../shared/properties.ts';
import { addressIn, bearer, serviceType } from './service-type.ts';

const gotify = addressIn('url');

const apiKey = secret('apiKey', 'API Key', { required: true });

/** Keys of the free plan end with `:fx` and are valid only at the address of that plan. */
export const deepLHost = (key: unknown): string =>
  typeof key === 'string' && key.trim().endsWith(':fx') ? 'api-free.deepl.com' : 'api.deepl.com';

/** Applications send messages, and clients read and delete them. */
const signForGotify: AuthenticateRequest = (request, data) => {
  const field = request.method === 'POST' ? 'appApiToken' : 'clientApiToken';
  return { ...request, headers: { ...request.headers, 'X-Gotify-Key': credentialText(data, field).trim() } };
};

const signl4 = 'https://connect.signl4.com';

/** The secret of the team is the last part of the path. */
const signForSignl4: AuthenticateRequest = (request, data) => ({
  ...request,
  url: `${signl4}/webhook/${encodeURIComponent(credentialText(data, 'teamSecret').trim())}`,
});

/** More services at a fixed address whose requests include a key. */
export const keyTypes: readonly CredentialType[] = [
  serviceType({
    name: 'beeminderApi',
    displayName: 'Beeminder',
    documentation: 'https://api.beeminder.com/#auth',
    properties: [secret('authToken', 'Auth Token', { required: true })],
    authenticate: { query: { auth_token: '{authToken}' } },
    hosts: ['www.beeminder.com'],
    test: 'https://www.beeminder.com/api/v1/users/me.json',
  }),
  serviceType({
    name: 'circleCiApi',
    displayName: 'CircleCI',
    documentation: 'https://circleci.com/docs/managing-api-tokens/',
    properties: [apiKey],
    authenticate: { headers: { 'Circle-Token': '{apiKey}' } },
    hosts: ['circleci.com'],
    test: 'https://circleci.com/api/v2/me',
  }),
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
    name: 'gotifyApi',
    displayName: 'Gotify',
    documentation: 'https://gotify.net/docs/pushmsg',
    properties: [
      secret('appApiToken', 'App API Token', { required: true }),
      secret('clientApiToken', 'Client API Token', { required: true }),
      text('url', 'URL', { required: true }),
    ],
    authenticate: signForGotify,
    hosts: gotify.hosts,
    test: gotify.at('/message?limit=1'),
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
  serviceType({
    name: 'plivoApi',
    displayName: 'Plivo',
    documentation: 'https://www.plivo.com/docs/account/api/overview',
    properties: [
      text('authId', 'Auth ID', { required: true, keepsSecrets: true }),
      secret('authToken', 'Auth Token', { required: true }),
    ],
    authenticate: { basic: { user: '{authId}', password: '{authToken}' } },
    hosts: ['api.plivo.com'],
    test: (data) => `https://api.plivo.com/v1/Account/${encodeURIComponent(credentialText(data, 'authId').trim())}/`,
  }),
  serviceType({
    name: 'signl4Api',
    displayName: 'SIGNL4',
    documentation: 'https://docs.signl4.com/integrations/webhook/webhook.html',
    properties: [secret('teamSecret', 'Team Secret', { required: true })],
    authenticate: signForSignl4,
    hosts: ['connect.signl4.com'],
    // Resolving an alert that does not exist alerts no one.
    test: () => ({
      method: 'POST',
      url: `${signl4}/webhook`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ 'X-S4-ExternalID': 'sluice-credential-test', 'X-S4-Status': 'resolved' }),
    }),
  }),
];
