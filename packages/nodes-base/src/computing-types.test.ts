import { expect, test } from '@jest/globals';
import { baseNodeTypes } from './base-node-types.ts';

/**
 * Types that a retry may run again without visible effects: they access no service, file, other
 * workflow, or caller.
 */
const transforming = `aggregate ai-transform code compare-datasets crypto date-time debug-helper filter function function-item html html-extract if item-lists jwt limit markdown
  merge n8n-training-customer-datastore n8n-training-customer-messenger no-op rename-keys set sort split-in-batches split-out stop-and-error summarize switch totp xml`;
/** Triggers that return the items that started them. */
const triggers = `cron error-trigger execute-workflow-trigger form-trigger interval manual-trigger n8n-trigger schedule-trigger webhook
  workflow-trigger`;

test('only these types are marked as computing', () => {
  const named = baseNodeTypes.filter(({ description }) => description.computesOnly).map(({ description }) => description.name);
  expect(named.sort()).toEqual(`${transforming} ${triggers}`.split(/\s+/).sort());
});
