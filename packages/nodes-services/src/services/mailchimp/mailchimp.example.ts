import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Adds a member to an audience for each item.',
  needs: 'a Mailchimp account with an API key (Profile → Extras → API keys), or an app with OAuth2, and the ID of an audience',
  notes: [
    'With OAuth2: register an app (**Profile → Extras → Registered apps**), add the redirect URL of the credential, and store client ID and secret in the',
    'credential. Mailchimp has no scopes. The data center of the account is part of the key, or is requested once per run.',
    '',
    'The ID of an audience is in its settings (**Audience name and defaults**). Updates change existing members; "Create" rejects an address that is already in the audience.',
    '',
    'Mailchimp limits: 10 requests at once for an account, 1,000 list elements per response. After more, the node waits.',
  ].join('\n'),
  parameters: {
    list: 'l1',
    email: '={{ $json.email }}',
    status: 'subscribed',
    options: {},
    mergeFieldsUi: { mergeFieldsValues: [{ name: 'FNAME', value: '={{ $json.name }}' }] },
  },
  inputs: [[{ email: 'Ada@Example.com', name: 'Ada' }]],
  outputs: [[{ id: 'm1', email_address: 'Ada@Example.com', status: 'subscribed' }]],
};
