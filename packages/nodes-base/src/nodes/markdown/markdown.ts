import type { ExecuteContext, Item, NodeType } from '@sluice/node-sdk';
import { parseFieldPath, withField } from '../../shared/field-path.ts';
import { choiceParameter, requiredText, textParameter } from '../../shared/parameters.ts';
import { failedOrThrow } from '../../shared/per-item.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { markdownProperties } from './markdown-properties.ts';
import { markdownToHtml, unsupportedUses } from './markdown-to-html.ts';

export const markdown: NodeType = {
  description: {
    displayName: 'Markdown',
    name: 'markdown',
    group: ['output'],
    version: 1,
    description: 'Converts between Markdown and HTML',
    defaults: { name: 'Markdown' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: markdownProperties,
    icon: 'fa:file-alt',
    subtitle: '={{ $parameter["mode"] }}',
  },
  unsupported: unsupportedUses,
  async execute(context) {
    const converted: Item[] = [];
    for (const [itemIndex, item] of context.items().entries()) {
      try {
        converted.push(await convertItem(context, item, itemIndex));
      } catch (error) {
        converted.push(failedOrThrow(context, itemIndex, error));
      }
    }
    return [converted];
  },
};

async function convertItem(context: ExecuteContext, item: Item, itemIndex: number): Promise<Item> {
  const destination = parseFieldPath(textParameter(context, 'destinationKey', itemIndex, 'data').trim() || 'data');
  const mode = choiceParameter(context, 'mode', itemIndex, ['markdownToHtml', 'htmlToMarkdown'], 'htmlToMarkdown');
  const result =
    mode === 'htmlToMarkdown'
      ? await htmlToMarkdown(context, requiredText(context, 'html', itemIndex), itemIndex)
      : await markdownToHtml(context, requiredText(context, 'markdown', itemIndex), itemIndex);
  return { ...item, json: withField(item.json, destination, result), pairedItem: { item: itemIndex } };
}
