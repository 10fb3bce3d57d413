import { connected } from '../service-requests.ts';
import type { ServiceAction } from './service-action.ts';

/** Services for messages and media. */
export const messageActions: Readonly<Record<string, ServiceAction>> = {
  discord: {
    credentials: { discordBotApi: { botToken: 'b' } },
    requests: [['POST /api/v10/channels/2/messages', { content: 'Hello' }]],
  },
  'facebook-graph-api': {
    credentials: { facebookGraphApi: { accessToken: 'EAA' } },
    requests: [['POST /v23.0/17841400000000000/media_publish?creation_id=18000000000000000&access_token=EAA']],
  },
  gotify: {
    credentials: { gotifyApi: { url: 'https://push.example/', appApiToken: 'app1', clientApiToken: 'client1' } },
    requests: [['POST /message', { message: 'The backup is complete.', title: 'Backup', priority: 5 }]],
  },
  'linked-in': {
    credentials: { linkedInOAuth2Api: connected('t') },
    requests: [
      [
        'POST /rest/posts',
        {
          author: 'urn:li:person:p1',
          commentary: 'Hello \\(world\\)',
          visibility: 'PUBLIC',
          distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
          lifecycleState: 'PUBLISHED',
          isReshareDisabledByAuthor: false,
        },
      ],
    ],
  },
  mailchimp: {
    credentials: { mailchimpApi: { apiKey: 'key1-us6' } },
    requests: [
      [
        'POST /3.0/lists/l1/members',
        { email_address: 'Ada@Example.com', status: 'subscribed', merge_fields: { FNAME: 'Ada' } },
      ],
    ],
  },
  mailjet: {
    credentials: { mailjetEmailApi: { apiKey: 'k1', secretKey: 's1' } },
    requests: [
      [
        'POST /v3.1/send',
        {
          Messages: [
            {
              From: { Email: 'team@example.com' },
              To: [{ Email: 'ada@example.com' }, { Email: 'grace@example.com' }],
              Subject: 'Report',
              TextPart: 'All systems work.',
            },
          ],
        },
      ],
    ],
  },
  mattermost: {
    credentials: { mattermostApi: { accessToken: 'token1', baseUrl: 'https://chat.example/' } },
    requests: [
      [
        'POST /api/v4/posts',
        {
          channel_id: 'c1',
          message: 'Hello',
          props: { attachments: [{ title: 'Report', color: '#00aa00', fields: [{ title: 'Sum', value: '5', short: true }] }] },
        },
      ],
    ],
  },
  'microsoft-teams': {
    credentials: { microsoftTeamsOAuth2Api: connected('t') },
    requests: [['POST /v1.0/chats/19%3Ac%40thread.v2/messages', { body: { contentType: 'text', content: 'Hello' } }]],
  },
  plivo: {
    credentials: { plivoApi: { authId: 'MA1', authToken: 't1' } },
    requests: [
      ['POST /v1/Account/MA1/Message/', { src: '14155551234', dst: '14157654321', text: 'Your order has been shipped.' }],
    ],
  },
  reddit: {
    credentials: { redditOAuth2Api: connected('t') },
    requests: [['GET /r/sluice/search?q=queue&restrict_sr=on&sort=new&limit=5']],
  },
  'send-grid': {
    credentials: { sendGridApi: { apiKey: 'k1' } },
    requests: [
      [
        'POST /v3/mail/send',
        {
          personalizations: [{ to: [{ email: 'ada@example.com' }] }],
          from: { email: 'shop@example.com', name: 'Shop' },
          subject: 'Your order',
          content: [{ type: 'text/plain', value: 'Hello Ada, your order is on its way.' }],
        },
      ],
    ],
  },
  'send-in-blue': {
    credentials: { sendInBlueApi: { apiKey: 'k1' } },
    requests: [
      [
        'POST /v3/smtp/email',
        {
          to: [{ email: 'ada@example.com' }],
          sender: { name: 'Shop', email: 'shop@example.com' },
          subject: 'Your order',
          textContent: 'It is on its way.',
        },
      ],
    ],
  },
  spotify: {
    credentials: { spotifyOAuth2Api: connected('t1') },
    requests: [['POST /v1/playlists/37i9dQZF1DX/items', { uris: ['spotify:track:4iV5W9uYEdYUVa79Axb7Rh'] }]],
  },
  twilio: {
    credentials: { twilioApi: { accountSid: 'AC1', authType: 'authToken', authToken: 'secret' } },
    requests: [
      ['POST /2010-04-01/Accounts/AC1/Messages.json', 'From=%2B15005550006&To=%2B14155238886&Body=Your+order+is+on+its+way'],
    ],
  },
  twitter: {
    credentials: { twitterOAuth2Api: connected('t') },
    requests: [['POST /2/tweets', { text: 'Hello' }]],
  },
  'you-tube': {
    credentials: { youTubeOAuth2Api: connected('ya29') },
    requests: [
      [
        'GET /youtube/v3/search?part=snippet&type=video&channelId=UC1&publishedAfter=2026-01-01T00%3A00%3A00.000Z&order=date&maxResults=2',
      ],
      [
        'GET /youtube/v3/search?part=snippet&type=video&channelId=UC1&publishedAfter=2026-01-01T00%3A00%3A00.000Z&order=date&maxResults=2&pageToken=next',
      ],
    ],
  },
};
