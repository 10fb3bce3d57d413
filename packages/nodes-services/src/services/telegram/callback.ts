import { collection, number, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { call } from './telegram-client.ts';

const queryId = text('queryId', 'Query ID', 'Identifier of the query to answer', { required: true });
const cacheTime = number('cache_time', 'Cache Time', 0, 'Seconds for which Telegram may reuse the answer');

export const callback: Resource = {
  displayName: 'Callback',
  initial: 'answerQuery',
  operations: {
    answerQuery: {
      displayName: 'Answer Query',
      description: 'Answers the query from an inline keyboard button',
      properties: [
        queryId,
        collection('additionalFields', 'Additional Fields', [
          cacheTime,
          toggle('show_alert', 'Show Alert', 'Whether the text is an alert instead of a notification'),
          text('text', 'Text', 'Text for the user, at most 200 characters'),
          text('url', 'URL', 'Address that the app of the user opens'),
        ]),
      ],
      run: (item) =>
        call(item, 'answerCallbackQuery', { callback_query_id: item.required('queryId'), ...item.fields('additionalFields') }),
    },
    answerInlineQuery: {
      displayName: 'Answer Inline Query',
      description: 'Answers an inline query',
      properties: [
        queryId,
        text('results', 'Results', 'JSON list of results, at most 50', { required: true }),
        collection('additionalFields', 'Additional Fields', [
          cacheTime,
          toggle('is_personal', 'Is Personal', 'Whether the answer is for this user only'),
          text('next_offset', 'Next Offset', 'Offset of the next page of results'),
        ]),
      ],
      run: (item) =>
        call(item, 'answerInlineQuery', {
          inline_query_id: item.required('queryId'),
          results: item.json('results'),
          ...item.fields('additionalFields'),
        }),
    },
  },
};
