import { choice, choices, collection, deepLHost, text, toggle } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developers.deepl.com/docs/api-reference/translate */
const client = new ApiClient({
  service: 'DeepL',
  credentialType: 'deepLApi',
  baseUrl: ({ apiKey }) => `https://${deepLHost(apiKey)}/v2`,
  refusalOf: ({ status }) =>
    status === 456
      ? { text: 'the quota of the account is used up', hint: 'Wait for the next billing period, or choose a larger plan' }
      : {},
});

const language: Resource = {
  displayName: 'Language',
  operations: {
    translate: {
      displayName: 'Translate',
      description: 'Translates text into another language',
      properties: [
        text('text', 'Text', 'The text to translate', { required: true, typeOptions: { rows: 4 } }),
        text('translateTo', 'Target Language', 'Code of the language, such as `DE`, `EN-US`, or `PT-BR`', { required: true }),
        collection('additionalFields', 'Additional Fields', [
          text('sourceLang', 'Source Language', 'Code of the language of the text, such as `EN`; default: detected'),
          choice('formality', 'Formality', [
            ...choices(['default', 'Default'], ['more', 'More Formal'], ['less', 'Less Formal']),
            ...choices(['prefer_more', 'More Formal If Available'], ['prefer_less', 'Less Formal If Available']),
          ]),
          toggle('preserveFormatting', 'Preserve Formatting', 'Whether to keep punctuation and case at the start and end'),
          choice(
            'splitSentences',
            'Split Sentences',
            choices(['1', 'Punctuation and Line Breaks'], ['nonewlines', 'Punctuation Only'], ['0', 'None']),
          ),
          choice('tagHandling', 'Tag Handling', choices(['', 'Plain Text'], ['html', 'HTML'], ['xml', 'XML'])),
          text('context', 'Context', 'More text that explains the meaning; it is neither translated nor billed'),
          text('glossaryId', 'Glossary ID', 'Glossary for the translation; needs the source language'),
        ]),
      ],
      run: translate,
    },
  },
};

const code = (value: string) => value.trim().toUpperCase() || undefined;

async function translate(item: ServiceItem) {
  const more = (name: string) => item.optional(`additionalFields.${name}`);
  const json = {
    text: [item.required('text')],
    target_lang: code(item.required('translateTo')),
    source_lang: code(item.text('additionalFields.sourceLang')),
    formality: more('formality'),
    split_sentences: more('splitSentences'),
    tag_handling: more('tagHandling'),
    context: more('context'),
    glossary_id: more('glossaryId'),
    ...(item.toggle('additionalFields.preserveFormatting') && { preserve_formatting: true }),
  };
  return objectsOf(objectOf(await item.send({ path: '/translate', json }))['translations']);
}

/** Translates text. */
export const deepL = defineService({
  displayName: 'DeepL',
  name: 'deep-l',
  version: 1,
  description: 'Translates text with DeepL',
  credentials: [{ name: 'deepLApi', required: true }],
  icon: 'fa:language',
  group: ['transform'],
  client,
  resources: { language },
});
