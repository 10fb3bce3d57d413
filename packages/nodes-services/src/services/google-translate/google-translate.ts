import type { JsonObject, JsonValue, MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { text } from '@sluice/nodes-base/node-tools';
import { defineService, type Resource } from '../../shared/define-service.ts';
import { googleAccount } from '../../shared/google-account.ts';
import { googleClient } from '../../shared/google-client.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';

const version = [1, 2];
const byServiceAccount = [1];

/** https://cloud.google.com/translate/docs/reference/rest/v2 */
const client = googleClient(
  'Google Translate',
  'https://translation.googleapis.com/language/translate/v2',
  'googleTranslateOAuth2Api',
  byServiceAccount,
);

const language: Resource = {
  displayName: 'Language',
  operations: {
    translate: {
      displayName: 'Translate',
      description: 'Translates text; Google detects its language',
      properties: [
        text('text', 'Text', 'Text to translate; HTML stays HTML', { required: true }),
        text('translateTo', 'Translate To', 'Target language, such as `de`', {
          required: true,
          typeOptions: { loadOptionsMethod: 'getLanguages' },
        }),
      ],
      async run(item) {
        const json = { q: item.required('text'), target: item.required('translateTo') };
        return objectsOf(dataOf(await item.send({ path: '', json }))['translations'])[0];
      },
    },
  },
};

export const googleTranslate = defineService({
  displayName: 'Google Translate',
  name: 'google-translate',
  version,
  description: 'Translates text with Google Cloud Translation',
  ...googleAccount('googleTranslateOAuth2Api', { version, byServiceAccount }),
  icon: 'fa:language',
  iconColor: 'blue',
  client,
  resources: { language },
  methods: { loadOptions: { getLanguages } },
});

const dataOf = (body: JsonValue | undefined): JsonObject => objectOf(objectOf(body)['data']);

async function getLanguages(context: MethodContext): Promise<NodePropertyOption[]> {
  const { languages } = dataOf(await client.send(context, { path: '/languages', query: { target: 'en' } }));
  return choicesFrom(objectsOf(languages), 'name', 'language');
}
