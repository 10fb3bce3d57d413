import { type CredentialType, type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import { hostOfAddress } from '../shared/hosts-of-service.ts';
import { choice, flag, text } from '../shared/properties.ts';
import { oAuth2Service } from './oauth2-service.ts';
import { subdomainIn } from './service-type.ts';

const authority = 'https://login.microsoftonline.com/common/oauth2/v2.0';
const graph = 'https://graph.microsoft.com';

/** Addresses of the tenant and of the national cloud. */
const fields = [
  text('authUrl', 'Authorization URL', { initial: `${authority}/authorize` }),
  text('accessTokenUrl', 'Access Token URL', { initial: `${authority}/token` }),
];
const graphField = choice('graphApiBaseUrl', 'Microsoft Graph API Base URL', [
  [graph, 'Global'],
  ['https://graph.microsoft.us', 'US Government'],
  ['https://dod-graph.microsoft.us', 'US Government DOD'],
  ['https://microsoftgraph.chinacloudapi.cn', 'China'],
]);

const microsoft = {
  documentation: 'https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow',
  authUrl: (data: JsonObject) => optionalCredentialText(data, 'authUrl', `${authority}/authorize`),
  tokenUrl: (data: JsonObject) => optionalCredentialText(data, 'accessTokenUrl', `${authority}/token`),
  authQuery: 'response_mode=query',
  client: 'body',
} as const;

const ofGraph = {
  ...microsoft,
  fields: [...fields, graphField],
  hosts: (data: JsonObject) => hostOfAddress(optionalCredentialText(data, 'graphApiBaseUrl', graph)),
};

/** Names, titles, and scopes of the types that differ only in these. */
const table: readonly (readonly [name: string, displayName: string, scopes: string])[] = [
  ['microsoftExcelOAuth2Api', 'Microsoft Excel', 'Files.ReadWrite'],
  ['microsoftOneDriveOAuth2Api', 'Microsoft OneDrive', 'Files.ReadWrite.All'],
  ['microsoftToDoOAuth2Api', 'Microsoft To Do', 'Tasks.ReadWrite'],
  [
    'microsoftTeamsOAuth2Api',
    'Microsoft Teams',
    'User.Read.All Group.ReadWrite.All Chat.ReadWrite ChannelMessage.Read.All ChannelMessage.Send',
  ],
  ['microsoftEntraOAuth2Api', 'Microsoft Entra', 'User.ReadWrite.All Group.ReadWrite.All Directory.ReadWrite.All'],
  ['microsoftGraphSecurityOAuth2Api', 'Microsoft Graph Security', 'SecurityEvents.ReadWrite.All'],
];

const outlookScopes =
  'Contacts.ReadWrite Calendars.ReadWrite Calendars.Read.Shared Mail.ReadWrite Mail.ReadWrite.Shared Mail.Send Mail.Send.Shared MailboxSettings.Read';

const sharePoint = subdomainIn('subdomain', 'sharepoint.com');

const signIn = (scopes: string) => `openid offline_access ${scopes}`;

/** Microsoft credential types for users of Microsoft 365 and Azure. */
export const microsoftTypes: readonly CredentialType[] = [
  oAuth2Service({
    ...ofGraph,
    name: 'microsoftOAuth2Api',
    displayName: 'Microsoft',
    fields: [
      ...ofGraph.fields,
      text('scope', 'Scope', {
        keepsSecrets: true,
        description: 'Scopes, separated by spaces; with `offline_access`, the token is renewed',
      }),
    ],
  }),
  ...table.map(([name, displayName, scopes]) => oAuth2Service({ ...ofGraph, name, displayName, scope: signIn(scopes) })),
  oAuth2Service({
    ...ofGraph,
    name: 'microsoftOutlookOAuth2Api',
    displayName: 'Microsoft Outlook',
    fields: [
      ...ofGraph.fields,
      flag('useShared', 'Use Shared Mailbox', { keepsSecrets: true }),
      text('userPrincipalName', 'User Principal Name', { keepsSecrets: true, required: true, show: { useShared: [true] } }),
    ],
    scope: signIn(outlookScopes),
  }),
  oAuth2Service({
    ...microsoft,
    name: 'microsoftSharePointOAuth2Api',
    displayName: 'Microsoft SharePoint',
    fields: [...fields, text('subdomain', 'Subdomain', { required: true, description: 'Of `<subdomain>.sharepoint.com`' })],
    ...sharePoint.rules,
    scope: (data) => signIn(sharePoint.at('/.default')(data)),
  }),
  oAuth2Service({
    ...microsoft,
    name: 'microsoftDynamicsOAuth2Api',
    displayName: 'Microsoft Dynamics 365',
    fields: [
      ...fields,
      text('subdomain', 'Subdomain', { required: true, description: 'Of `<subdomain>.crm.dynamics.com`' }),
      text('region', 'Region', { initial: 'crm.dynamics.com' }),
    ],
    hosts: (data) => [dynamicsHost(data)],
    scope: (data) => signIn(`https://${dynamicsHost(data)}/.default`),
  }),
];

function dynamicsHost(data: JsonObject): string {
  return `${optionalCredentialText(data, 'subdomain')}.${optionalCredentialText(data, 'region', 'crm.dynamics.com')}`;
}
