import type { NodeType } from '@sluice/node-sdk';
import { number, toggle, where } from '@sluice/nodes-base/node-tools';
import { googleAccount } from '../../shared/google-account.ts';
import { ServiceItem } from '../../shared/service-item.ts';
import { sheetsClient } from './google-sheets-client.ts';
import { filters, target } from './google-sheets-properties.ts';
import { read } from './read-rows.ts';
import { sheetMethods } from './sheet-methods.ts';

/** The version that reads Google Sheets; the rows of its filters must match all of them. */
export const evaluationVersion = [4.6];
const [rowFilters] = filters;
const account = googleAccount('googleSheetsOAuth2Api', { version: evaluationVersion });

/** Starts a run with the test cases of a dataset. */
export const evaluationTrigger: NodeType = {
  description: {
    displayName: 'Evaluation Trigger',
    name: 'evaluation-trigger',
    group: ['trigger'],
    version: evaluationVersion,
    description:
      'Starts an evaluation: a manual run with the rows of a Google sheet as its items. The execution of an active workflow does not start here',
    defaults: { name: 'When fetching a dataset row' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:check-double',
    credentials: account.credentials,
    properties: [
      ...account.leading,
      ...target,
      toggle('limitRows', 'Limit Rows', 'Whether to read the first rows only'),
      number('maxRows', 'Max Rows to Process', 10, 'How many rows to read', where({ limitRows: [true] })),
      ...(rowFilters ? [rowFilters] : []),
    ],
    maxNodes: 1,
  },
  methods: sheetMethods(sheetsClient),
  async execute(context) {
    const item = new ServiceItem(context, 0, sheetsClient);
    const [rows = []] = await read([item]);
    const count = item.toggle('limitRows') ? Math.max(0, item.number('maxRows', 10)) : rows.length;
    if (rows.length === 0) context.addHints?.({ message: 'The sheet has no matching rows, so nothing is evaluated.' });
    return [rows.slice(0, count).map((json) => ({ json }))];
  },
};
