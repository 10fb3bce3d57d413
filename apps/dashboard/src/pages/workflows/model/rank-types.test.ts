import { expect, test } from '@jest/globals';
import { rankTypes } from './rank-types.ts';

const types = [
  { type: 'base.cron', deprecated: true, displayName: 'Cron', description: 'Starts at set times, before the schedule trigger' },
  { type: 'base.function', deprecated: true, displayName: 'Function', description: 'Runs code' },
  { type: 'base.date-time', displayName: 'Date & Time' },
  { type: 'base.set', displayName: 'Edit Fields', description: 'Sets fields' },
  { type: 'base.schedule-trigger', displayName: 'Schedule Trigger', description: 'Starts at set times' },
  { type: 'base.respond-to-webhook', displayName: 'Respond to Webhook' },
  { type: 'base.webhook', displayName: 'Webhook' },
  { type: 'ai.tool-http-request', deprecated: true, displayName: 'HTTP Request Tool', outputs: ['ai_tool'] },
  { type: 'base.http-requestTool', displayName: 'HTTP Request as a tool', outputs: ['ai_tool'] },
  { type: 'base.http-request', displayName: 'HTTP Request', outputs: ['main'] },
  { type: 'ai.manual-chat-trigger', displayName: 'Manual Chat Trigger' },
  { type: 'base.manual-trigger', displayName: 'Manual Trigger' },
  { type: 'base.code', displayName: 'Code', description: 'Runs functions in JavaScript' },
];
const found = (search: string) => rankTypes(types, search).map(({ displayName }) => displayName);

test.each([
  ['webhook', ['Webhook', 'Respond to Webhook']],
  ['set', ['Edit Fields', 'Schedule Trigger', 'Cron']],
  ['trigger schedule', ['Schedule Trigger', 'Cron']],
  ['function', ['Code', 'Function']],
  ['tim', ['Date & Time', 'Schedule Trigger', 'Cron']],
  ['http', ['HTTP Request', 'HTTP Request as a tool', 'HTTP Request Tool']],
  ['manual', ['Manual Trigger', 'Manual Chat Trigger']],
  ['nothing', []],
])('%s finds names before descriptions, then sub-nodes, and deprecated types last', (search, names) => {
  expect(found(search)).toEqual(names);
});

test('without a search, only the deprecated types move', () => {
  expect(found(' ').slice(-3)).toEqual(['Cron', 'Function', 'HTTP Request Tool']);
  expect(found('')[0]).toBe('Date & Time');
});
