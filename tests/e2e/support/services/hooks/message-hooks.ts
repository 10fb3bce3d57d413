import type { JsonObject, JsonValue } from '@sluice/domain';
import { hmac, listOf, type Registration, type ServiceHook, seconds, textIn } from './service-hook.ts';

/** Triggers of messaging services. */
export const messageHooks: Readonly<Record<string, ServiceHook>> = {
  slack: {
    credentials: { slackApi: { accessToken: 'xoxb-1', signatureSecret: 'secret' } },
    event: {
      type: 'event_callback',
      event_id: 'Ev1',
      event: { type: 'message', channel: 'C1', user: 'U1', text: 'Hello', ts: '1.2' },
    },
    headers(event) {
      const time = seconds();
      return { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${hmac('secret', `v0:${time}:${event}`)}` };
    },
    hasIds: true,
    action: {
      parameters: {
        resource: 'reaction',
        channelId: { __rl: true, mode: 'id', value: '={{ $json.channel }}' },
        timestamp: '={{ $json.ts }}',
        name: 'eyes',
      },
      request: ['POST /api/reactions.add', { channel: 'C1', timestamp: '1.2', name: 'eyes' }],
      items: [{ ok: true }],
    },
  },
  telegram: {
    credentials: { telegramApi: { accessToken: '123:abc' } },
    register([server]) {
      const registration: Registration = {};
      const ok = (result: JsonValue) => ({ json: { ok: true, result } });
      server?.on('POST /bot123:abc/setWebhook', ({ body }) => {
        Object.assign(registration, {
          url: textIn(body as JsonObject, 'url'),
          secret: textIn(body as JsonObject, 'secret_token'),
        });
        return ok(true);
      });
      server?.on('POST /bot123:abc/getWebhookInfo', () => ok({ url: registration.url ?? '' }));
      server?.on('POST /bot123:abc/deleteWebhook', () => {
        registration.url = undefined;
        return ok(true);
      });
      return registration;
    },
    event: { update_id: 1, message: { message_id: 7, chat: { id: 5 }, from: { id: 9 }, text: 'Hello' } },
    headers: (_, { secret = '' }) => ({ 'x-telegram-bot-api-secret-token': secret }),
    hasIds: true,
    action: {
      parameters: {
        chatId: '={{ $json.message.chat.id }}',
        text: '=You said {{ $json.message.text }}',
        additionalFields: { parse_mode: 'HTML' },
      },
      request: [
        'POST /bot123:abc/sendMessage',
        { chat_id: '5', text: 'You said Hello', parse_mode: 'HTML', disable_web_page_preview: true },
      ],
      items: [{ ok: true, result: { message_id: 7, chat: { id: 5 }, text: 'Hello' } }],
    },
  },
  'whats-app': {
    credentials: {
      whatsAppTriggerApi: { clientId: '7', clientSecret: 'secret' },
      whatsAppApi: { accessToken: 't', businessAccountId: '42' },
    },
    register([server], reach) {
      const registration: Registration = {};
      // Meta verifies the URL before it responds.
      server?.on('POST /v23.0/7/subscriptions', async ({ body }) => {
        const { callback_url: url = '', verify_token: token = '' } = body as Record<string, string>;
        const query = new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.challenge': '42', 'hub.verify_token': token });
        if ((await reach(`${url}?${query}`)) !== '42') return { status: 400, json: { error: { message: 'not verified' } } };
        registration.url = url;
        return { json: { success: true } };
      });
      server?.on('GET /v23.0/7/subscriptions', () => {
        const one = {
          object: 'whatsapp_business_account',
          callback_url: registration.url ?? '',
          fields: [{ name: 'messages' }],
        };
        return { json: { data: listOf(registration.url, one) } };
      });
      server?.on('DELETE /v23.0/7/subscriptions', () => {
        registration.url = undefined;
        return { json: { success: true } };
      });
      return registration;
    },
    event: {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '42',
          changes: [
            {
              field: 'messages',
              value: { messages: [{ from: '14155238886', id: 'wamid.2', type: 'text', text: { body: 'Hi' } }] },
            },
          ],
        },
      ],
    },
    headers: (event) => ({ 'x-hub-signature-256': `sha256=${hmac('secret', event)}` }),
    hasIds: false,
    action: {
      parameters: {
        operation: 'send',
        phoneNumberId: '15550001',
        recipientPhoneNumber: '={{ $json.messages[0].from }}',
        textBody: '=You said {{ $json.messages[0].text.body }}',
        additionalFields: {},
      },
      request: [
        'POST /v23.0/15550001/messages',
        {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to: '14155238886',
          type: 'text',
          text: { body: 'You said Hi', preview_url: false },
        },
      ],
      items: [
        {
          messaging_product: 'whatsapp',
          contacts: [{ input: '14155238886', wa_id: '14155238886' }],
          messages: [{ id: 'wamid.1' }],
        },
      ],
    },
  },
};
