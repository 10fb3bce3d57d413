import type { ExecuteContext, Item, JsonValue, NodeType } from '@sluice/node-sdk';
import { parseFieldPath, withField } from '../../shared/field-path.ts';
import { choiceParameter, requiredText, writtenText } from '../../shared/parameters.ts';
import { failedOrThrow } from '../../shared/per-item.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { markdownProperties } from './markdown-properties.ts';
import { markdownToHtml } from './markdown-to-html.ts';

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
  const destination = parseFieldPath(requiredText(context, 'destinationKey', itemIndex, 'data'));
  const mode = choiceParameter(context, 'mode', itemIndex, ['markdownToHtml', 'htmlToMarkdown'], 'htmlToMarkdown');
  const result = mode === 'htmlToMarkdown' ? await toMarkdown(context, itemIndex) : await toHtml(context, itemIndex);
  const json = result === undefined ? item.json : withField(item.json, destination, result);
  return { ...item, json, pairedItem: { item: itemIndex } };
}

async function toMarkdown(context: ExecuteContext, itemIndex: number): Promise<string> {
  const html = writtenText(context, 'html', itemIndex);
  return htmlToMarkdown(context, html ?? requiredText(context, 'html', itemIndex), itemIndex);
}

/** An expression without a value does not change the item. Null remains null. */
async function toHtml(context: ExecuteContext, itemIndex: number): Promise<string | null | undefined> {
  if (context.parameter<JsonValue>('markdown', itemIndex) === null) return null;
  const markdown = writtenText(context, 'markdown', itemIndex);
  return markdown === undefined ? undefined : markdownToHtml(context, markdown, itemIndex);
}
