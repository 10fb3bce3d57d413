import type { ExecuteContext, Item, NodeType } from '@sluice/node-sdk';
import { choiceParameter } from '../../shared/parameters.ts';
import { mapItems } from '../../shared/per-item.ts';
import { extractHtmlContent } from './extract-html-content.ts';
import { htmlProperties, htmlVersions } from './html-properties.ts';
import { htmlTable, valueText } from './html-table.ts';

export const html: NodeType = {
  description: {
    displayName: 'HTML',
    name: 'html',
    group: ['transform'],
    version: htmlVersions,
    description: 'Generates HTML from a template or from items, or extracts values from HTML',
    defaults: { name: 'HTML' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: htmlProperties,
    icon: 'fa:code',
    iconColor: 'orange',
    subtitle: '={{ $parameter["operation"] }}',
  },
  async execute(context) {
    const operations = ['generateHtmlTemplate', 'extractHtmlContent', 'convertToHtmlTable'] as const;
    switch (choiceParameter(context, 'operation', 0, operations, 'generateHtmlTemplate')) {
      case 'generateHtmlTemplate':
        return [await mapItems(context, (_, itemIndex) => templateItem(context, itemIndex))];
      case 'extractHtmlContent':
        return [await extractHtmlContent(context, { readable: context.typeVersion >= 1.2, isHtmlExtract: false })];
      case 'convertToHtmlTable':
        return [[await tableItem(context)]];
    }
  },
};

function templateItem(context: ExecuteContext, itemIndex: number): Item {
  const filled = valueText(context.parameter('html', itemIndex));
  return { json: { html: filled }, pairedItem: { item: itemIndex } };
}

async function tableItem(context: ExecuteContext): Promise<Item> {
  const items = context.items();
  const rows = items.map(({ json }) => json);
  return { json: { table: await htmlTable(context, rows) }, pairedItem: items.map((_, item) => ({ item })) };
}
