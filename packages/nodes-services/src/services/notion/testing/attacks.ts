import { type Attacks, accepted } from '../../../testing/attack.ts';

const notionPages = (count: number): string => Array.from({ length: count }, (_, id) => notionPage(10, `p${id}`)).join();

export const attacks: Attacks = {
  notion: () => [
    {
      name: 'a long text',
      parameters: {
        resource: 'block',
        operation: 'append',
        blockId: 'p1',
        blockUi: { blockValues: [{ textContent: '😀'.repeat(8_000_000) }] },
      },
      answer: accepted,
    },
    {
      name: 'many properties of many pages',
      parameters: { resource: 'databasePage', operation: 'getAll', databaseId: 'd1', returnAll: true },
      answer: () => `{"results":[${notionPages(20_000)}]}`,
    },
    {
      name: 'a page with many properties',
      parameters: { resource: 'databasePage', operation: 'get', pageId: 'p1' },
      answer: () => notionPage(200_000),
    },
  ],
  'notion-trigger': () => [
    {
      name: 'many new pages',
      parameters: { event: 'pageAddedToDatabase', databaseId: 'd1' },
      cursor: { at: 1, ids: {} },
      answer: () => `{"results":[${notionPages(20_000)}]}`,
    },
  ],
};

function notionPage(properties: number, id = 'p1'): string {
  const values = Array.from(
    { length: properties },
    (_, index) => `"Aa ${index}":{"type":"rich_text","rich_text":[{"plain_text":"x"}]}`,
  );
  const times = '"created_time":"2026-01-01T10:00:00.000Z","last_edited_time":"2026-01-01T10:00:00.000Z"';
  return `{"object":"page","id":"${id}",${times},"parent":{"type":"database_id"},"properties":{${values.join()}}}`;
}
